import ByteSpans
import JSONText

/// The values of one column of a stored batch, read one by one.
///
/// What is short and spelled as this program spells it is read here; anything else is left to `JSONReader`.
struct ColumnCursor: Sendable {
    /// Where the array starts.
    private let start: Int
    /// Where the bracket or the comma before the next value stands; where the array ends, behind the last one.
    private var offset: Int
    /// Where the array ends.
    private let end: Int

    /// A token, and its text where it is spelled another way than this program does.
    struct Token {
        let range: Range<Int>
        var respelled: [UInt8]?
    }

    /// Reads the values of the array that stands in a range of the text.
    init(_ range: Range<Int>) {
        start = range.lowerBound
        offset = range.lowerBound
        end = range.upperBound - 1
    }

    /// The next value, an integer.
    @inline(__always)
    mutating func integer(_ text: Span<UInt8>, _ json: [UInt8]) throws(JSONError) -> Int {
        if let value = shortInteger(text) { return value }
        return try anyInteger(json)
    }

    /// The next four values, where each of them is a digit with a comma behind it; nil, and nothing is read, where not.
    @inline(__always)
    mutating func fourDigits(_ text: Span<UInt8>) -> EightBytes? {
        guard offset + 9 <= end else { return nil }
        let digits = EightBytes(text.word(at: offset + 1))
        guard digits.areFourDigits else { return nil }
        offset += 8
        return digits
    }

    /// The next value, an integer; nil, and nothing is read, where only the rules can tell.
    @inline(__always)
    private mutating func shortInteger(_ text: Span<UInt8>) -> Int? {
        var place = offset + 1
        guard place + 8 <= text.count else { return nil }
        var word = text.word(at: place)
        let isNegative = word & 0xff == UInt64(UInt8(ascii: "-"))
        if isNegative {
            word >>= 8
            place += 1
        }
        let digits = EightBytes(word)
        let count = digits.digitCount
        guard count > 0, count < 8, ends(place + count, text), count == 1 || digits[0] != UInt8(ascii: "0")
        else { return nil }
        offset = place + count
        let value = digits.number(ofDigits: count)
        return isNegative ? -value : value
    }

    /// The next value, a number or a string; nil, and nothing is read, where only the rules can tell.
    @inline(__always)
    mutating func plainToken(_ text: Span<UInt8>) -> Range<Int>? {
        let place = offset + 1
        guard place < end else { return nil }
        let index: Int
        if text[place] == UInt8(ascii: "\"") {
            let quote = text.endOfRun(from: place + 1) { $0.plainCount }
            guard quote < end, text[quote] == UInt8(ascii: "\"") else { return nil }
            index = quote + 1
        } else {
            guard let number = Self.endOfNumber(text, from: place) else { return nil }
            index = number
        }
        guard ends(index, text) else { return nil }
        offset = index
        return place..<index
    }

    /// The next value, an integer in any spelling.
    @inline(never)
    private mutating func anyInteger(_ json: [UInt8]) throws(JSONError) -> Int {
        var reader = try next(json)
        let value = try reader.integer()
        try pass(&reader)
        return value
    }

    /// The next value, a number or a string in any spelling.
    mutating func anyToken(_ json: [UInt8]) throws(JSONError) -> Token {
        var reader = try next(json)
        let token = try reader.kind() == .string ? Self.string(&reader) : Token(range: reader.number())
        try pass(&reader)
        return token
    }

    /// Nothing may be left over.
    func finish(_ json: [UInt8]) throws(JSONError) {
        if offset == end { return }
        guard offset == start else { throw JSONError(.malformed, at: offset) }
        var reader = JSONReader(json, range: (start + 1)..<end)
        try reader.finish()
    }

    /// A value may end here.
    @inline(__always)
    private func ends(_ place: Int, _ text: Span<UInt8>) -> Bool {
        place == end || place < end && text[place] == UInt8(ascii: ",")
    }

    /// The place behind a number without an exponent.
    @inline(__always)
    private static func endOfNumber(_ text: Span<UInt8>, from place: Int) -> Int? {
        let first = text[place] == UInt8(ascii: "-") ? place + 1 : place
        let point = text.endOfRun(from: first) { $0.digitCount }
        guard point > first, point < text.count, text[first] != UInt8(ascii: "0") || point == first + 1 else {
            return nil
        }
        guard text[point] == UInt8(ascii: ".") else { return point }
        let end = text.endOfRun(from: point + 1) { $0.digitCount }
        return end > point + 1 ? end : nil
    }

    private static func string(_ reader: inout JSONReader) throws(JSONError) -> Token {
        let (body, isPlain) = try reader.stringBody()
        let range = (body.lowerBound - 1)..<(body.upperBound + 1)
        guard !isPlain else { return Token(range: range) }
        // A token is always spelled in the one way that this program spells it.
        let text = try reader.unescaped(body)
        var respelled: [UInt8] = []
        JSONEscaping.append(text.span, to: &respelled)
        return Token(range: range, respelled: respelled)
    }

    /// A reader in front of the next value.
    private func next(_ json: [UInt8]) throws(JSONError) -> JSONReader {
        guard offset < end else { throw JSONError(.unexpected, at: offset) }
        return JSONReader(json, range: (offset + 1)..<end)
    }

    /// Moves on behind a value.
    private mutating func pass(_ reader: inout JSONReader) throws(JSONError) {
        offset = try reader.comma() ? reader.offset - 1 : end
    }
}
