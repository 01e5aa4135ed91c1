/// Text of which nothing steers a terminal, hides, or looks like something else.
enum PrintableText: Sendable {
    /// The text with every character as an escape that could steer a terminal, hide itself or turn the direction of
    /// writing: `\u{1b}`.
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

    /// What may go to a terminal as it is.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if joining.contains(scalar.value) { return true }
        // What takes no room, and the pattern without a dot, let two names look like one.
        if scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}" { return false }
        return switch scalar.properties.generalCategory {
        // C0, DEL and C1; line and paragraph separators.
        case .control, .lineSeparator, .paragraphSeparator: false
        // Arabic number signs are letters to the eye; bidi controls are not.
        case .format: numberSigns.contains(scalar.value)
        default: true
        }
    }

    /// Joiners and the selectors of text and emoji, which make one picture of several characters.
    private static let joining: Set<UInt32> = [0x200c, 0x200d, 0xfe0e, 0xfe0f]

    /// The characters of the category Cf that can be seen.
    private static let numberSigns: Set<UInt32> = Set(0x600...0x605).union([
        0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd,
    ])
}
