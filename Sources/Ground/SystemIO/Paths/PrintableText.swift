/// Text without characters that control a terminal, are invisible, or make different texts look the same.
enum PrintableText: Sendable {
    /// Returns a text with an escape such as `\u{1b}` for every character that could control a terminal, is
    /// invisible, or changes the direction of writing.
    static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isPrintable(scalar) {
                result.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
            }
        }
        return String(result)
    }

    /// Whether a character may be written to a terminal unescaped.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if joining.contains(scalar.value) { return true }
        // With characters of no width, or the Braille pattern without a dot, two names could look the same.
        if scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}" { return false }
        return switch scalar.properties.generalCategory {
        // C0, DEL and C1; line and paragraph separators.
        case .control, .lineSeparator, .paragraphSeparator: false
        // Arabic number signs are visible; bidirectional controls are not.
        case .format: numberSigns.contains(scalar.value)
        default: true
        }
    }

    /// Joiners, and the variation selectors of text and emoji, which make one picture of several characters.
    private static let joining: Set<UInt32> = [0x200c, 0x200d, 0xfe0e, 0xfe0f]

    /// The visible characters of the category Cf.
    private static let numberSigns: Set<UInt32> = Set(0x600...0x605).union([
        0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd,
    ])
}

/// Paths as characters, and bytes that do not belong to one.
extension BytePath {
    /// A character, or a byte that does not belong to one.
    public struct Character: Sendable {
        /// One to four bytes.
        public let bytes: ArraySlice<UInt8>
        /// The character that they encode in UTF-8; nil for a byte that does not belong to one.
        public let text: String?
    }

    /// The path, Unicode scalar by Unicode scalar.
    public var characters: [Character] {
        var characters: [Character] = []
        characters.reserveCapacity(count)
        var rest = bytes[...]
        while !rest.isEmpty {
            // No prefix of a character is a character itself, and none has more than four bytes.
            let found = (1...min(4, rest.count)).lazy.compactMap { length in
                String(validating: rest.prefix(length), as: UTF8.self).map { (length, $0) }
            }.first
            characters.append(Character(bytes: rest.prefix(found?.0 ?? 1), text: found?.1))
            rest = rest.dropFirst(found?.0 ?? 1)
        }
        return characters
    }
}
