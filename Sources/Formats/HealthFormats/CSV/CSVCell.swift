import ByteSpans
import JSONText

/// Writes the cells of CSV files (RFC 4180).
package enum CSVCell: Sendable {
    /// The end of a line.
    package static let lineEnd = Array("\r\n".utf8)
    /// The mark before a text that a spreadsheet would take for a formula, or that itself starts with the mark.
    private static let mark = UInt8(ascii: "'")

    /// Appends a number or a time, which need no quotes.
    static func append(plain text: Span<UInt8>, to output: inout [UInt8]) { output.append(copying: text) }

    /// Returns a line without its end: numbers as they are, everything else as texts.
    package static func line(_ fields: [String]) -> [UInt8] {
        var line: [UInt8] = []
        for (number, field) in fields.enumerated() {
            if number > 0 { line.append(UInt8(ascii: ",")) }
            append(Array(field.utf8).span, to: &line)
        }
        return line
    }

    /// Appends a number as it is, and everything else as a text.
    package static func append(_ field: Span<UInt8>, to output: inout [UInt8]) {
        if JSONNumber.matches(field) {
            append(plain: field, to: &output)
        } else {
            append(text: field, to: &output)
        }
    }

    /// Appends a text.
    ///
    /// A text that starts like a formula (`=`, `+`, `-`, `@`, tab, carriage return) or with the mark `'` itself is
    /// prefixed with the mark, and so is what follows a semicolon, a tab or a line break in it, where a spreadsheet may
    /// start another cell. It then shows the text, and a program restores it by removing one `'` from these places.
    package static func append(text: Span<UInt8>, to output: inout [UInt8]) {
        var needsQuotes = false
        var mayNeedMark = !text.isEmpty && needsMark(text[0])
        for index in text.indices {
            needsQuotes = needsQuotes || breaksCell(text[index])
            mayNeedMark = mayNeedMark || startsCell(text[index])
        }
        guard needsQuotes || mayNeedMark else {
            output.append(copying: text)
            return
        }
        if needsQuotes { output.append(UInt8(ascii: "\"")) }
        for index in text.indices {
            if needsMark(text[index]), index == 0 || startsCell(text[index - 1]) { output.append(mark) }
            if text[index] == UInt8(ascii: "\"") { output.append(text[index]) }
            output.append(text[index])
        }
        if needsQuotes { output.append(UInt8(ascii: "\"")) }
    }

    @inline(__always)
    private static func needsMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0d, mark:
            true
        default: false
        }
    }

    @inline(__always)
    private static func breaksCell(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0a || byte == 0x0d
    }

    /// Returns whether a spreadsheet may start another cell after a byte.
    @inline(__always)
    private static func startsCell(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }
}
