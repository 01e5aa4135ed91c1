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
