/// Builds a column of texts, many of which are the same.
struct TextColumn {
    private var numbers: [String: Int32] = [:]
    private(set) var texts: [String] = []
    /// The number of each row's text; -1 for none.
    private var rows: [Int32] = []
    private var nullCount = 0

    /// Creates a column without rows.
    init(rows count: Int) { rows.reserveCapacity(count) }

    /// Creates a column of texts, and the number of each row's text, -1 for none.
    init(_ texts: [String], _ rows: [Int32]) {
        self.texts = texts
        self.rows = rows
        nullCount = rows.count { $0 < 0 }
    }

    /// Returns the number of a text.
    mutating func number(of text: String) -> Int32 {
        if let number = numbers[text] { return number }
        let number = Int32(texts.count)
        numbers[text] = number
        texts.append(text)
        return number
    }

    /// Appends a row with the text of this number, or without one.
    @inline(__always)
    mutating func append(_ number: Int32?) {
        if number == nil { nullCount += 1 }
        rows.append(number ?? -1)
    }

    mutating func append(text: String?) { append(text.map { number(of: $0) }) }

    /// Returns the column: a dictionary, or plain texts.
    func column(isPlain: Bool) -> ArrowColumn {
        if isPlain { return ArrowColumn(texts: rows.map { $0 < 0 ? nil : texts[Int($0)] }) }
        let validity = nullCount == 0 ? nil : Validity(rows.map { $0 >= 0 }).buffer
        return ArrowColumn(
            length: rows.count, nullCount: nullCount, buffers: [validity, ArrowBuffer(rows)],
            dictionary: [ArrowColumn(texts: texts)])
    }
}
