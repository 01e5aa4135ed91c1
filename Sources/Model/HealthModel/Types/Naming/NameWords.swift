/// The words in names such as `HeartRate`, which are ASCII.
enum NameWords: Sendable {
    /// Returns the words of a name in camel case; consecutive capitals are one word: `UV Exposure`, `VO2 Max`.
    static func words(of name: Substring) -> [Substring] {
        let letters = name.utf8
        var words: [Substring] = []
        var start = letters.startIndex
        for index in letters.indices.dropFirst() where isCapital(letters[index]) {
            let next = letters.index(after: index)
            let startsWord = next < letters.endIndex && isSmall(letters[next])
            if startsWord || !isCapital(letters[letters.index(before: index)]) {
                words.append(name[start..<index])
                start = index
            }
        }
        words.append(name[start...])
        return words
    }

    /// Returns a name with its first letter as a capital.
    static func capitalised(_ name: Substring) -> String { turned(name, where: isSmall) }

    /// Returns a name with its first letter as a small one.
    static func uncapitalised(_ name: Substring) -> String { turned(name, where: isCapital) }

    private static func turned(_ name: Substring, where isOther: (UInt8) -> Bool) -> String {
        guard let first = name.utf8.first, isOther(first) else { return String(name) }
        // Capital and small letters differ in one bit.
        return String(Unicode.Scalar(first ^ 0x20)) + Substring(name.utf8.dropFirst())
    }

    /// Whether a byte is one of `A` to `Z`.
    static func isCapital(_ letter: UInt8) -> Bool { letter &- 0x41 < 26 }

    private static func isSmall(_ letter: UInt8) -> Bool { letter &- 0x61 < 26 }
}

// The standard library does this with regular expressions, which would add a megabyte that nothing else needs.
extension Substring {
    /// Returns the text before and after the first occurrence of `marker`, which must be ASCII.
    package func split(at marker: String) -> (before: Substring, after: Substring)? {
        for index in utf8.indices where utf8[index...].starts(with: marker.utf8) {
            return (self[..<index], self[utf8.index(index, offsetBy: marker.utf8.count)...])
        }
        return nil
    }

    /// Returns whether the text contains `part`, which must be ASCII.
    package func contains(text part: String) -> Bool { split(at: part) != nil }
}
