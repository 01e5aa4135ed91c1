/// The words in names such as `HeartRate`.
enum NameWords: Sendable {
    /// Returns the words of a name in camel case; consecutive capitals are one word: `UV Exposure`, `VO2 Max`.
    static func words(of name: Substring) -> [Substring] {
        var words: [Substring] = []
        var start = name.startIndex
        for index in name.indices.dropFirst() where name[index].isUppercase {
            let next = name.index(after: index)
            let startsWord = next < name.endIndex && name[next].isLowercase
            if startsWord || !name[name.index(before: index)].isUppercase {
                words.append(name[start..<index])
                start = index
            }
        }
        words.append(name[start...])
        return words
    }
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
