import ByteText

/// Writes the cells of CSV files (RFC 4180).
package enum CSVCell: Sendable {
    /// The end of a line.
    package static let lineEnd = Array("\r\n".utf8)
    /// The mark before a text that a spreadsheet would take for a formula, or that itself starts with the mark.
    private static let mark = UInt8(ascii: "'")
    private static let quote = UInt8(ascii: "\"")

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
        if needsQuotes { output.append(quote) }
        append(inside: text, startsCell: true, to: &output)
        if needsQuotes { output.append(quote) }
    }

    /// Appends a text with its marks, and with its quotation marks doubled.
    private static func append(
        inside text: Span<UInt8>, startsCell isFirst: Bool, to output: inout [UInt8]
    ) {
        for index in text.indices {
            if needsMark(text[index]), index == 0 ? isFirst : startsCell(text[index - 1]) {
                output.append(mark)
            }
            if text[index] == quote { output.append(quote) }
            output.append(text[index])
        }
    }

    /// What a cell has before and after a plain text, where that alone differs from row to row.
    struct Frame: Sendable {
        let start: [UInt8]
        let end: [UInt8]

        init(before: [UInt8], after: [UInt8]) {
            let needsQuotes = (before + after).contains(where: breaksCell)
            var start = needsQuotes ? [quote] : []
            var end: [UInt8] = []
            append(inside: before.span, startsCell: true, to: &start)
            append(inside: after.span, startsCell: false, to: &end)
            self.start = start
            self.end = needsQuotes ? end + [quote] : end
        }
    }

    /// Whether a text is written as it is wherever it stands in a cell, and is also what a JSON string with these bytes
    /// represents.
    static func isPlain(_ text: Span<UInt8>) -> Bool {
        var isPlain = !text.isEmpty
        for index in text.indices {
            let byte = text[index]
            isPlain =
                isPlain
                && !(needsMark(byte) || breaksCell(byte) || startsCell(byte) || byte == UInt8(ascii: "\\"))
        }
        return isPlain
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
        byte == UInt8(ascii: ",") || byte == quote || byte == 0x0a || byte == 0x0d
    }

    /// Returns whether a spreadsheet may start another cell after a byte.
    @inline(__always)
    private static func startsCell(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }
}
