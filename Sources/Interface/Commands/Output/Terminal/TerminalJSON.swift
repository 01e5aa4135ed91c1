/// JSON that is safe to print on a terminal.
package enum TerminalJSON {
    /// Returns JSON followed by one line end, with escapes for everything that could control a terminal, be invisible
    /// or change the text direction.
    ///
    /// Writers of JSON escape control characters below U+0020 themselves, so line ends occur only between values.
    package static func line(_ json: String) -> [UInt8] {
        var line = escaped(json)
        if line.last != UInt8(ascii: "\n") { line.append(UInt8(ascii: "\n")) }
        return line
    }

    /// Returns JSON with the same escapes.
    static func escaped(_ json: String) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(json.utf8.count + 1)
        for scalar in json.unicodeScalars {
            if scalar.isASCII, scalar == "\n" || isPrintable(scalar) {
                line.append(UInt8(truncatingIfNeeded: scalar.value))
            } else if isPrintable(scalar) {
                line += Array(String(scalar).utf8)
            } else {
                for unit in String(scalar).utf16 { line += escape(unit).utf8 }
            }
        }
        return line
    }

    /// Returns whether a scalar is printed unchanged; the category Cf and all invisible scalars are escaped, which
    /// loses nothing in JSON.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7f }
        if scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}" { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    /// Returns the escape for a UTF-16 code unit; a character above U+FFFF has two.
    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}
