import ByteText
import SampleBatches

/// The values of one column of a stored batch, read one by one.
///
/// Short values in this program's own spelling are read here; all others are left to `JSONReader`.
struct ColumnCursor: Sendable {
    /// The offset of the opening bracket.
    private let start: Int
    /// The offset of the bracket or comma before the next value; `end` after the last value.
    private var offset: Int
    /// The offset of the closing bracket.
    private let end: Int

    /// A token, with its text respelled if this program would spell it differently.
    struct Token {
        let range: Range<Int>
        var respelled: [UInt8]?
    }

    /// Makes a cursor for the array in a range of the text.
    init(_ range: Range<Int>) {
        start = range.lowerBound
        offset = range.lowerBound
        end = range.upperBound - 1
    }

    /// Reads the next value, an integer.
    @inline(__always)
    mutating func integer(_ text: Span<UInt8>, _ json: [UInt8]) throws(JSONError) -> Int {
        if let value = shortInteger(text) { return value }
        return try anyInteger(json)
    }

    /// Reads the next values, `count` integers.
    ///
    /// - Parameters:
    ///   - mayRepeat: Whether it may say how often a value is repeated.
    ///   - use: Receives one after the other.
    @inline(__always)
    mutating func integers(
        _ count: Int, _ text: Span<UInt8>, _ json: [UInt8], mayRepeat: Bool, _ use: (Int) -> Void
    ) throws {
        var (left, last) = (count, 0)
        while left > 0 {
            shortIntegers(text, most: left) {
                use($0)
                last = $0
                left -= 1
            }
            guard left > 0 else { break }
            var times = mayRepeat && left < count ? try repetitions(text, json, most: left) : 0
            if times == 0 {
                last = try integer(text, json)
                times = 1
            }
            for _ in 0..<times { use(last) }
            left -= times
        }
    }

    /// Reads the next values, up to `most`, as long as they are short and others follow.
    @inline(__always)
    private mutating func shortIntegers(_ text: Span<UInt8>, most: Int, _ use: (Int) -> Void) {
        guard offset < end else { return }
        offset = text.readShortIntegers(from: offset + 1, most: most, use) - 1
    }

    /// Returns the sign and the digits of the next value, with the place behind them; nil if there are none or more than
    /// seven, or a zero before others.
    @inline(__always)
    private func whole(_ text: Span<UInt8>) -> (isNegative: Bool, value: Int, count: Int, end: Int)? {
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
        guard count > 0, count < 8, count == 1 || digits[0] != UInt8(ascii: "0") else { return nil }
        return (isNegative, digits.number(ofDigits: count), count, place + count)
    }

    /// Reads the next value, an integer; reads nothing and returns nil if it needs the full parser.
    @inline(__always)
    private mutating func shortInteger(_ text: Span<UInt8>) -> Int? {
        guard let whole = whole(text), ends(whole.end, text) else { return nil }
        offset = whole.end
        return whole.isNegative ? -whole.value : whole.value
    }

    /// Reads the next value if it is a number without an exponent, of at most 19 digits, 7 of them before the point; otherwise
    /// reads nothing and returns nil.
    @inline(__always)
    mutating func plainNumber(_ text: Span<UInt8>) -> Double? {
        if offset < end, let number = text.shortNumber(at: offset + 1) {
            offset += 1 + number.length
            return DecimalText.number(
                digits: UInt64(truncatingIfNeeded: number.digits), count: number.length,
                dividedBy: Self.powerOfTen(number.decimals))
        }
        guard let whole = whole(text) else { return nil }
        var (count, place) = (whole.count, whole.end)
        if ends(place, text) {
            offset = place
            // Zero has a sign as well.
            return whole.isNegative ? -Double(whole.value) : Double(whole.value)
        }
        guard place < end, text[place] == UInt8(ascii: ".") else { return nil }
        place += 1
        var (digits, power): (UInt64, UInt64) = (UInt64(truncatingIfNeeded: whole.value), 1)
        var more = 8
        while more == 8 {
            guard place + 8 <= text.count else { return nil }
            let next = EightBytes(text.word(at: place))
            more = next.digitCount
            guard more > 0 else { break }
            let factor = Self.powerOfTen(more)
            digits = digits &* factor &+ UInt64(truncatingIfNeeded: next.number(ofDigits: more))
            power = power &* factor
            count += more
            place += more
            guard count <= 19 else { return nil }
        }
        guard power > 1, ends(place, text) else { return nil }
        offset = place
        let number = DecimalText.number(digits: digits, count: count, dividedBy: power)
        return whole.isNegative ? -number : number
    }

    /// Returns 10 to the power of 0 to 15.
    @inline(__always)
    private static func powerOfTen(_ exponent: Int) -> UInt64 {
        (exponent & 1 == 0 ? 1 : 10) &* (exponent & 2 == 0 ? 1 : 100)
            &* (exponent & 4 == 0 ? 1 : 10_000) &* (exponent & 8 == 0 ? 1 : 100_000_000)
    }

    /// Reads the next value, a number or a string; reads nothing and returns nil if it needs the full parser.
    @inline(__always)
    mutating func plainToken(_ text: Span<UInt8>) -> Range<Int>? {
        let place = offset + 1
        guard place < end else { return nil }
        var index = place
        if text[place] == UInt8(ascii: "\"") {
            index = text.endOfRun(from: place + 1) { $0.plainCount } + 1
            guard index <= end, text[index - 1] == UInt8(ascii: "\""), ends(index, text) else { return nil }
        } else if let number = text.shortNumber(at: place) {
            index += number.length
        } else {
            guard let number = Self.endOfNumber(text, from: place), ends(number, text) else { return nil }
            index = number
        }
        offset = index
        return place..<index
    }

    /// Reads how often the last value is repeated, if that comes next.
    ///
    /// - Parameter most: The number of values that are left.
    /// - Returns: 0 if a value comes next.
    /// - Throws: `inconsistent` if there are not so many left.
    @inline(__always)
    mutating func repetitions(_ text: Span<UInt8>, _ json: [UInt8], most: Int) throws -> Int {
        guard offset < end, text[offset + 1] == UInt8(ascii: "[") || text[offset + 1] <= UInt8(ascii: " ")
        else { return 0 }
        let times = try shortRepetitions(text) ?? anyRepetitions(json)
        guard times <= most else { throw FormatError(.inconsistent) }
        return times
    }

    /// Reads a number between brackets; reads nothing and returns nil if it needs the full parser.
    @inline(__always)
    private mutating func shortRepetitions(_ text: Span<UInt8>) -> Int? {
        let place = offset + 2
        guard text[place - 1] == UInt8(ascii: "["), place + 8 <= text.count else { return nil }
        let digits = EightBytes(text.word(at: place))
        let count = digits.digitCount
        guard count > 0, count < 8, digits[0] != UInt8(ascii: "0"), digits[count] == UInt8(ascii: "]"),
            ends(place + count + 1, text)
        else { return nil }
        offset = place + count + 1
        return digits.number(ofDigits: count)
    }

    /// Reads a number between brackets in any spelling; reads nothing and returns 0 if something else comes next.
    @inline(never)
    private mutating func anyRepetitions(_ json: [UInt8]) throws -> Int {
        var reader = try next(json)
        guard try reader.kind() == .array else { return 0 }
        var numbers: [Int] = []
        try reader.array { reader in
            guard numbers.isEmpty else { throw reader.failure(.unexpected) }
            numbers.append(try reader.integer())
        }
        guard let times = numbers.first, times > 0 else { throw reader.failure(.unexpected) }
        try pass(&reader)
        return times
    }

    /// Reads the next value, an integer in any spelling.
    @inline(never)
    private mutating func anyInteger(_ json: [UInt8]) throws(JSONError) -> Int {
        var reader = try next(json)
        let value = try reader.integer()
        try pass(&reader)
        return value
    }

    /// Reads the next value, a number or a string in any spelling.
    mutating func anyToken(_ json: [UInt8]) throws(JSONError) -> Token {
        var reader = try next(json)
        let token = try reader.kind() == .string ? Self.string(&reader) : Token(range: reader.number())
        try pass(&reader)
        return token
    }

    /// Checks that no value is left.
    func finish(_ json: [UInt8]) throws(JSONError) {
        if offset == end { return }
        guard offset == start else { throw JSONError(.malformed, at: offset) }
        var reader = JSONReader(json, range: (start + 1)..<end)
        try reader.finish()
    }

    /// Returns whether a value may end at this offset.
    @inline(__always)
    private func ends(_ place: Int, _ text: Span<UInt8>) -> Bool {
        place == end || place < end && text[place] == UInt8(ascii: ",")
    }

    /// Returns the offset after a number without an exponent; nil if there is none.
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
        // A token always has this program's own spelling.
        let text = try reader.unescaped(body)
        var respelled: [UInt8] = []
        JSONEscaping.append(text.span, to: &respelled)
        return Token(range: range, respelled: respelled)
    }

    /// Makes a reader positioned at the next value.
    private func next(_ json: [UInt8]) throws(JSONError) -> JSONReader {
        guard offset < end else { throw JSONError(.unexpected, at: offset) }
        return JSONReader(json, range: (offset + 1)..<end)
    }

    /// Moves past a value.
    private mutating func pass(_ reader: inout JSONReader) throws(JSONError) {
        offset = try reader.comma() ? reader.offset - 1 : end
    }
}
