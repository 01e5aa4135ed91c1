import ByteSpans
import JSONText
import SampleBatches

/// The values of a column, as numbers where they are finite numbers and as texts where not.
package struct StoredValues: Sendable {
    /// The numbers; 0 in rows with a text.
    package private(set) var numbers: [Double] = []
    /// The distinct texts.
    package private(set) var texts: [String] = []
    /// The number of each row's text, -1 for a number; empty if there are numbers only.
    package private(set) var textNumbers: [Int32] = []
    private var known: [HashedBytes: Int32] = [:]
    /// The text that was read last: a value is often the same as the one before.
    private var last: (token: [UInt8], number: Int32)?

    /// Reads a column of exactly `count` values.
    init(_ count: Int, _ array: Range<Int>, _ json: [UInt8]) throws {
        guard count <= array.count / 2 else { throw FormatError(.inconsistent) }
        var cursor = ColumnCursor(array)
        let text = json.span
        numbers.reserveCapacity(count)
        for row in 0..<count {
            if let number = cursor.plainNumber(text) {
                numbers.append(number)
                if !textNumbers.isEmpty { textNumbers.append(-1) }
            } else {
                let token =
                    if let range = cursor.plainToken(text) { text.array(range) } else {
                        try cursor.token(json)
                    }
                append(token, row)
            }
        }
        try cursor.finish(json)
    }

    private mutating func append(_ token: [UInt8], _ row: Int) {
        if let number = DecimalText.number(ofToken: token.span, 0..<token.count) {
            numbers.append(number)
            if !textNumbers.isEmpty { textNumbers.append(-1) }
            return
        }
        if textNumbers.isEmpty { textNumbers = [Int32](repeating: -1, count: row) }
        numbers.append(0)
        textNumbers.append(number(of: token))
    }

    private mutating func number(of token: [UInt8]) -> Int32 {
        if let last, last.token == token { return last.number }
        let key = HashedBytes(token)
        let number: Int32
        if let found = known[key] {
            number = found
        } else {
            number = Int32(texts.count)
            known[key] = number
            texts.append(String(decoding: JSONEscaping.text(ofToken: token), as: UTF8.self))
        }
        last = (token, number)
        return number
    }
}

extension ColumnCursor {
    /// Returns the next value as a token in this program's spelling.
    fileprivate mutating func token(_ json: [UInt8]) throws(JSONError) -> [UInt8] {
        let token = try anyToken(json)
        return token.respelled ?? Array(json[token.range])
    }
}
