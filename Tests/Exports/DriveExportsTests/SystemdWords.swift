import SystemIO

/// The words of a command line, as systemd.syntax(7) and systemd.service(5) describe them.
enum SystemdWords {
    /// Returns the words of a line in which each is in double quotes; nil if it is malformed.
    static func words(of line: [UInt8]) -> [BytePath]? {
        guard String(validating: line, as: UTF8.self) != nil else { return nil }
        var words: [BytePath] = []
        var rest = line[...]
        while let first = rest.popFirst() {
            if first == UInt8(ascii: " ") { continue }
            guard first == quote, let word = unquoted(&rest) else { return nil }
            let specified = undoubled(word, UInt8(ascii: "%"))
            // The path of the program has no variables.
            let whole = words.isEmpty ? specified : specified.flatMap { undoubled($0, UInt8(ascii: "$")) }
            guard let whole else { return nil }
            words.append(BytePath(bytes: whole))
        }
        return words
    }

    private static let quote = UInt8(ascii: "\"")

    /// Reads up to the closing quote.
    private static func unquoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var word: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case quote: return word
            case UInt8(ascii: "\\"):
                guard let escape = rest.popFirst() else { return nil }
                guard escape == UInt8(ascii: "x") else {
                    guard [quote, UInt8(ascii: "\\")].contains(escape) else { return nil }
                    word.append(escape)
                    continue
                }
                guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                    return nil
                }
                word.append(value)
                rest = rest.dropFirst(2)
            default: word.append(byte)
            }
        }
        return nil
    }

    /// Returns the word with one character for each pair of them; nil if one is alone.
    private static func undoubled(_ word: [UInt8], _ byte: UInt8) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = word[...]
        while let next = rest.popFirst() {
            result.append(next)
            if next == byte { guard rest.popFirst() == byte else { return nil } }
        }
        return result
    }
}
