import ByteSpans

/// Collects texts of a column, many of which are the same.
struct TextColumn {
    private var numbers: [String: Int32] = [:]
    private var texts: [String] = []
    /// The number of each row's text; -1 for none.
    private var rows: [Int32] = []

    /// Makes room for rows.
    mutating func reserve(_ count: Int) { rows.reserveCapacity(count) }

    /// Returns the number of a text.
    mutating func number(of text: String) -> Int32 {
        if let number = numbers[text] { return number }
        let number = Int32(texts.count)
        numbers[text] = number
        texts.append(text)
        return number
    }

    /// Appends rows with these numbers of texts, -1 for none.
    mutating func append(_ numbers: [Int32]) { rows += numbers }

    /// Appends rows that all have one text, or none.
    mutating func append(_ text: String?, count: Int = 1) {
        rows.append(contentsOf: repeatElement(text.map { number(of: $0) } ?? -1, count: count))
    }

    /// Returns the column: a dictionary, or plain texts.
    func column(isPlain: Bool) -> ArrowColumn {
        let nullCount = rows.count { $0 < 0 }
        let validity = nullCount == 0 ? nil : Validity(rows.map { $0 >= 0 }).buffer
        guard isPlain else {
            return ArrowColumn(
                length: rows.count, nullCount: nullCount, buffers: [validity, ArrowBuffer(rows)],
                dictionary: [ArrowColumn(texts: texts)])
        }
        let bytes = texts.map { Array($0.utf8) }
        var end = 0
        for row in rows where row >= 0 { end += bytes[Int(row)].count }
        guard end <= Int(Int32.max) else { return .tooLarge }
        let (ends, content) = (ArrowBuffer(), ArrowBuffer())
        ends.append(atMost: rows.count + 1) { (output: inout OutputSpan<Int32>) in
            var end: Int32 = 0
            output.append(end)
            for row in rows {
                if row >= 0 { end += Int32(bytes[Int(row)].count) }
                output.append(end)
            }
        }
        content.append(atMost: end) { (output: inout OutputSpan<UInt8>) in
            for row in rows where row >= 0 {
                let text = bytes[Int(row)]
                output.append(copying: text.span)
            }
        }
        return ArrowColumn(length: rows.count, nullCount: nullCount, buffers: [validity, ends, content])
    }
}
