import ByteSpans
import HealthModel
import JSONText

/// The values of one column of a stored batch, read one by one.
///
/// What is spelled as this program spells it is read here; anything else is left to `JSONReader`.
struct ColumnCursor: Sendable {
    private var offset: Int
    private let end: Int
    private var isFirst = true

    /// A token, and whether it is a string.
    struct Token {
        let range: Range<Int>
        let isString: Bool
        /// The token itself where it is spelled another way than in the text.
        var respelled: [UInt8]?
    }

    /// Reads the values of the array that stands in a range of the text.
    init(_ range: Range<Int>) {
        // Without the brackets of the array.
        offset = range.lowerBound + 1
        end = range.upperBound - 1
    }

    /// The next value, an integer.
    @inline(__always)
    mutating func integer(_ text: Span<UInt8>, of json: [UInt8]) throws -> Int {
        var index = next(text)
        let isNegative = index < end && text[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let first = index
        var value = 0
        // No more digits than surely make no number too large.
        while index < end, index - first < 18, text[index] &- 0x30 < 10 {
            value = value * 10 + Int(text[index] &- 0x30)
            index += 1
        }
        guard index > first, text[first] != UInt8(ascii: "0") || index == first + 1,
            index == end || text[index] == UInt8(ascii: ",")
        else { return try integerByTheRules(json) }
        offset = index
        isFirst = false
        return isNegative ? -value : value
    }

    /// The next value, a number or a string.
    @inline(__always)
    mutating func token(_ text: Span<UInt8>, of json: [UInt8]) throws -> Token {
        var index = next(text)
        guard index < end else { return try tokenByTheRules(json) }
        let start = index
        if text[index] == UInt8(ascii: "\"") {
            index += 1
            while index < end, Self.isPlain(text[index]) { index += 1 }
            guard index < end, text[index] == UInt8(ascii: "\"") else { return try tokenByTheRules(json) }
            index += 1
        } else {
            if text[index] == UInt8(ascii: "-") { index += 1 }
            let whole = index
            while index < end, text[index] &- 0x30 < 10 { index += 1 }
            guard index > whole, text[whole] != UInt8(ascii: "0") || index == whole + 1 else {
                return try tokenByTheRules(json)
            }
            if index < end, text[index] == UInt8(ascii: ".") {
                let point = index
                index += 1
                while index < end, text[index] &- 0x30 < 10 { index += 1 }
                guard index > point + 1 else { return try tokenByTheRules(json) }
            }
        }
        guard index == end || text[index] == UInt8(ascii: ",") else { return try tokenByTheRules(json) }
        offset = index
        isFirst = false
        return Token(range: start..<index, isString: text[start] == UInt8(ascii: "\""))
    }

    /// Nothing may be left over.
    func finish(_ json: [UInt8]) throws(JSONError) {
        var reader = JSONReader(json, range: offset..<end)
        try reader.finish()
    }

    /// The place of the next value, or the end where that is not to be seen at a glance.
    @inline(__always)
    private func next(_ text: Span<UInt8>) -> Int {
        if isFirst { return offset }
        return offset < end && text[offset] == UInt8(ascii: ",") ? offset + 1 : end
    }

    /// ASCII that stands for itself in a string.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    @inline(never)
    private mutating func integerByTheRules(_ json: [UInt8]) throws(JSONError) -> Int {
        var reader = try nextByTheRules(json)
        let value = try reader.integer()
        offset = reader.offset
        isFirst = false
        return value
    }

    @inline(never)
    private mutating func tokenByTheRules(_ json: [UInt8]) throws(JSONError) -> Token {
        var reader = try nextByTheRules(json)
        let isString = try reader.kind() == .string
        let token = isString ? try Self.string(&reader) : Token(range: try reader.number(), isString: false)
        offset = reader.offset
        isFirst = false
        return token
    }

    private static func string(_ reader: inout JSONReader) throws(JSONError) -> Token {
        let (body, isPlain) = try reader.stringBody()
        let range = (body.lowerBound - 1)..<(body.upperBound + 1)
        guard !isPlain else { return Token(range: range, isString: true) }
        // A token is always spelled in the one way that this program spells it.
        let text = try reader.unescaped(body)
        var respelled: [UInt8] = []
        JSONEscaping.append(text.span, to: &respelled)
        return Token(range: range, isString: true, respelled: respelled)
    }

    /// A reader in front of the next value.
    private func nextByTheRules(_ json: [UInt8]) throws(JSONError) -> JSONReader {
        var reader = JSONReader(json, range: offset..<end)
        if !isFirst { try reader.comma() }
        return reader
    }
}
