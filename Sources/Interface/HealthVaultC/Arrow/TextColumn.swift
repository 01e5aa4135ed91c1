import ByteText
import SampleBatches

/// Collects texts of a column, many of which are the same.
struct TextColumn {
    private var numbers: [ExactName: Int32] = [:]
    private var texts: [String] = []
    /// The number of each row's text; -1 for none.
    private let rows = ArrowBuffer()
    private var count = 0

    /// Creates an empty column.
    init() {}

    /// Creates a column of texts, some of which may be missing.
    init(_ texts: [String?]) {
        reserve(texts.count)
        for text in texts { append(text) }
    }

    /// Makes room for rows.
    func reserve(_ count: Int) { rows.reserve(count, of: Int32.self) }

    /// Returns the number of a text.
    mutating func number(of text: String) -> Int32 {
        let name = ExactName(text)
        if let number = numbers[name] { return number }
        let number = Int32(texts.count)
        numbers[name] = number
        texts.append(text)
        return number
    }

    /// Appends rows.
    ///
    /// - Parameters:
    ///   - more: How many.
    ///   - body: Appends the numbers of their texts, -1 for none.
    mutating func append(count more: Int, _ body: (inout OutputSpan<Int32>) -> Void) {
        rows.append(atMost: more, body)
        count += more
    }

    /// Appends rows that all have one text, or none.
    mutating func append(_ text: String?, count more: Int = 1) {
        let number = text.map { self.number(of: $0) } ?? -1
        append(count: more) { output in
            for _ in 0..<more { output.append(number) }
        }
    }

    /// Returns the column: a dictionary, or plain texts.
    func column(isPlain: Bool) -> ArrowColumn {
        rows.withElements { rows in column(rows, isPlain: isPlain) }
    }

    private func column(_ numbers: Span<Int32>, isPlain: Bool) -> ArrowColumn {
        var nullCount = 0
        for row in numbers.indices { nullCount += numbers[row] < 0 ? 1 : 0 }
        let validity = nullCount == 0 ? nil : Validity(numbers.indices.map { numbers[$0] >= 0 }).buffer
        guard isPlain else {
            return ArrowColumn(
                length: count, nullCount: nullCount, buffers: [validity, rows],
                dictionary: [ArrowColumn(texts: texts)])
        }
        let bytes = texts.map { Array($0.utf8) }
        var end = 0
        for row in numbers.indices where numbers[row] >= 0 { end += bytes[Int(numbers[row])].count }
        guard end <= Int(Int32.max) else { return .tooLarge }
        let (ends, content) = (ArrowBuffer(), ArrowBuffer())
        ends.append(atMost: count + 1) { (output: inout OutputSpan<Int32>) in
            var end: Int32 = 0
            output.append(end)
            for row in numbers.indices {
                if numbers[row] >= 0 { end += Int32(bytes[Int(numbers[row])].count) }
                output.append(end)
            }
        }
        content.append(atMost: end) { (output: inout OutputSpan<UInt8>) in
            for row in numbers.indices where numbers[row] >= 0 {
                let text = bytes[Int(numbers[row])]
                output.append(copying: text.span)
            }
        }
        return ArrowColumn(length: count, nullCount: nullCount, buffers: [validity, ends, content])
    }
}
