import ByteText
import SampleBatches

/// The values of a column, as numbers where they are finite numbers and as texts where not.
package struct StoredValues: Sendable {
    /// The numbers; 0 in rows with a text.
    package private(set) var numbers: [Double] = []
    /// The distinct texts.
    package private(set) var texts: [String] = []
    /// The number of each row's text, -1 for a number; empty if there are numbers only.
    package private(set) var textNumbers: [Int32] = []
    /// The number of bytes of the texts that are repetitions of the one before them.
    private(set) var repeatedBytes = LengthSum()
    /// The length of the last text, in bytes.
    private var lastLength = 0
    private var known: [HashedBytes: Int32] = [:]
    /// The texts that were read last: most columns of texts repeat a few.
    private var recent: [(token: [UInt8], number: Int32)] = []

    /// The number of texts that are compared before one is looked up.
    private static let mostRecent = 8

    init() {}

    /// Reads a column of exactly `count` values in place of those that were read before.
    mutating func read(_ count: Int, _ array: Range<Int>, _ json: [UInt8]) throws {
        forgetTexts()
        var cursor = ColumnCursor(array)
        // Swapped out, so that the loop below may change the rest.
        var numbers: [Double] = []
        swap(&numbers, &self.numbers)
        defer { swap(&numbers, &self.numbers) }
        numbers.removeAll(keepingCapacity: true)
        // Appending nothing would write to the memory that all empty arrays share.
        if count > 0 {
            let text = json.span
            try numbers.append(addingCapacity: count) { (output: inout OutputSpan<Double>) in
                while output.count < count {
                    if let number = cursor.plainNumber(text) {
                        output.append(number)
                        continue
                    }
                    let row = output.count
                    var times = 0
                    if row > 0 { times = try cursor.repetitions(text, json, most: count - row) }
                    if times > 0 {
                        let last = output.span[row - 1]
                        output.append(repeating: last, count: times)
                        repeatText(before: row, times)
                    } else {
                        output.append(try other(&cursor, json, row, of: count))
                    }
                }
            }
        }
        try cursor.finish(json)
    }

    private mutating func forgetTexts() {
        repeatedBytes = LengthSum()
        guard !textNumbers.isEmpty else { return }
        textNumbers.removeAll(keepingCapacity: true)
        texts.removeAll()
        known.removeAll()
        recent.removeAll()
    }

    /// Gives some rows the text of the one before them, if that has one.
    private mutating func repeatText(before row: Int, _ times: Int) {
        guard !textNumbers.isEmpty, textNumbers[row - 1] >= 0 else { return }
        for next in row..<(row + times) { textNumbers[next] = textNumbers[row - 1] }
        repeatedBytes.add(times * lastLength)
    }

    /// Reads a value that is not a plain number; returns 0 for a text.
    @inline(never)
    private mutating func other(
        _ cursor: inout ColumnCursor, _ json: [UInt8], _ row: Int, of count: Int
    ) throws -> Double {
        let text = json.span
        guard let range = cursor.plainToken(text) else {
            let token = try cursor.anyToken(json)
            if let respelled = token.respelled {
                return value(of: respelled.span, 0..<respelled.count, row, of: count)
            }
            return value(of: text, token.range, row, of: count)
        }
        return value(of: text, range, row, of: count)
    }

    private mutating func value(
        of text: Span<UInt8>, _ range: Range<Int>, _ row: Int, of count: Int
    ) -> Double {
        lastLength = range.count
        let same = recent.first {
            range.count == $0.token.count && text.matches(at: range.lowerBound, $0.token)
        }
        if let same {
            textNumbers[row] = same.number
            return 0
        }
        if let number = DecimalText.number(ofToken: text, range) { return number }
        if textNumbers.isEmpty { textNumbers = [Int32](repeating: -1, count: count) }
        textNumbers[row] = number(of: text.array(range))
        return 0
    }

    private mutating func number(of token: [UInt8]) -> Int32 {
        let key = HashedBytes(token)
        let number: Int32
        if let found = known[key] {
            number = found
        } else {
            number = Int32(texts.count)
            known[key] = number
            texts.append(String(decoding: JSONEscaping.text(ofToken: token), as: UTF8.self))
        }
        if recent.count == Self.mostRecent { recent.removeFirst() }
        recent.append((token, number))
        return number
    }
}
