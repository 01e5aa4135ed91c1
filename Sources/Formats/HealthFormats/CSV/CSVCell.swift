import ByteSpans

/// Writes the cells of CSV files (RFC 4180).
enum CSVCell: Sendable {
    /// The end of a line.
    static let lineEnd = Array("\r\n".utf8)
    /// The mark before a text that a spreadsheet would take for a formula, or that itself starts with the mark.
    private static let mark = UInt8(ascii: "'")

    /// Appends a number or a time, which need no quotes.
    static func append(plain text: Span<UInt8>, to output: inout [UInt8]) { output.append(copying: text) }

    /// Appends a text.
    ///
    /// A text that starts like a formula (`=`, `+`, `-`, `@`, tab, carriage return) or with the mark `'` itself is
    /// prefixed with the mark. A spreadsheet then shows it as text, and a program restores it by removing one `'`.
    static func append(text: Span<UInt8>, to output: inout [UInt8]) {
        let isMarked = !text.isEmpty && needsMark(text[0])
        var needsQuotes = false
        for index in text.indices where !needsQuotes { needsQuotes = breaksCell(text[index]) }
        guard needsQuotes else {
            if isMarked { output.append(mark) }
            output.append(copying: text)
            return
        }
        output.append(UInt8(ascii: "\""))
        if isMarked { output.append(mark) }
        for index in text.indices {
            if text[index] == UInt8(ascii: "\"") { output.append(text[index]) }
            output.append(text[index])
        }
        output.append(UInt8(ascii: "\""))
    }

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
}
