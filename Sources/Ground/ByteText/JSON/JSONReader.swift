/// Reads JSON text from front to back, strictly by RFC 8259; numbers and strings are available as they are written.
///
/// The caller asks for the values it expects; the reader builds no others, and input cannot make it recurse.
public struct JSONReader: Sendable {
    /// The text.
    public let bytes: [UInt8]
    /// Offset of the next token, or of the white space before it.
    public internal(set) var offset: Int
    let end: Int
    private let depthLimit: Int

    /// What kind of value comes next.
    public enum Kind: Sendable, Equatable {
        case object
        case array
        case string
        case number
        case bool
        case null
    }

    /// Creates a reader of `bytes`, or of a range of them.
    public init(_ bytes: [UInt8], range: Range<Int>? = nil, depthLimit: Int = 256) {
        self.bytes = bytes
        offset = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
        self.depthLimit = depthLimit
    }

    /// Returns an error at the current offset.
    public func failure(_ code: JSONError.Code) -> JSONError { JSONError(code, at: offset) }

    /// Returns the kind of the next value.
    public mutating func kind() throws(JSONError) -> Kind {
        switch try peek() {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case quote: return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), 0x30...0x39: return .number
        default: throw failure(.malformed)
        }
    }

    /// Reads an object; `body` reads the value of each member.
    public mutating func object<Failure: Error>(
        _ body: (inout JSONReader, _ key: String) throws(Failure) -> Void
    ) throws {
        try members { reader, key throws(Failure) in
            try body(&reader, key)
            return true
        }
    }

    /// Reads the first members of an object, each as `body` does, until that returns false or the object ends.
    public mutating func members<Failure: Error>(
        _ body: (inout JSONReader, _ key: String) throws(Failure) -> Bool
    ) throws {
        guard try kind() == .object else { throw failure(.unexpected) }
        offset += 1
        if try accept(UInt8(ascii: "}")) { return }
        repeat {
            guard try peek() == quote else { throw failure(.malformed) }
            let key = try string()
            try expect(UInt8(ascii: ":"))
            guard try body(&self, key) else { return }
        } while try accept(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    /// Reads an array; `body` reads each value.
    public mutating func array<Failure: Error>(
        _ body: (inout JSONReader) throws(Failure) -> Void
    ) throws {
        guard try kind() == .array else { throw failure(.unexpected) }
        offset += 1
        if try accept(UInt8(ascii: "]")) { return }
        repeat { try body(&self) } while try accept(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
    }

    /// Reads an integer.
    public mutating func integer() throws(JSONError) -> Int {
        if let value = shortInteger() { return value }
        let range = try number()
        var index = range.lowerBound
        let negative = bytes[index] == UInt8(ascii: "-")
        if negative { index += 1 }
        var value = 0
        while index < range.upperBound {
            guard JSONNumber.isDigit(bytes[index]) else { throw JSONError(.unexpected, at: index) }
            let digit = Int(bytes[index] - 0x30)
            let (product, first) = value.multipliedReportingOverflow(by: 10)
            let (sum, second) = product.subtractingReportingOverflow(digit)
            guard !first, !second else { throw JSONError(.outOfRange, at: range.lowerBound) }
            value = sum
            index += 1
        }
        guard negative || value != .min else { throw JSONError(.outOfRange, at: range.lowerBound) }
        return negative ? value : -value
    }

    /// Reads an integer of at most ten digits, followed by a comma, a closing bracket or the end; for anything else,
    /// reads nothing and returns nil.
    private mutating func shortInteger() -> Int? {
        var index = offset
        let isNegative = index < end && bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let first = index
        var value = 0
        while index < end, index - first < 10, JSONNumber.isDigit(bytes[index]) {
            value = value * 10 + Int(bytes[index] &- 0x30)
            index += 1
        }
        guard index > first, bytes[first] != UInt8(ascii: "0") || index == first + 1,
            index == end || bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: "]")
                || bytes[index] == UInt8(ascii: "}")
        else { return nil }
        offset = index
        return isNegative ? -value : value
    }

    /// Reads a number and returns its range.
    public mutating func number() throws(JSONError) -> Range<Int> {
        guard try kind() == .number else { throw failure(.unexpected) }
        let start = offset
        while offset < end, Self.isNumberByte(bytes[offset]) { offset += 1 }
        guard JSONNumber.matches(bytes.span.extracting(start..<offset)) else {
            throw JSONError(.malformed, at: start)
        }
        return start..<offset
    }

    /// Reads `true` or `false`.
    public mutating func bool() throws(JSONError) -> Bool {
        guard try kind() == .bool else { throw failure(.unexpected) }
        let value = bytes[offset] == UInt8(ascii: "t")
        try literal(value ? "true" : "false")
        return value
    }

    /// Reads any value and returns its range.
    @discardableResult
    public mutating func skip() throws(JSONError) -> Range<Int> {
        _ = try peek()
        let start = offset
        var closers: [UInt8] = []
        repeat {
            var isFirst = false
            switch try kind() {
            case .object, .array:
                guard closers.count < depthLimit else { throw failure(.tooDeep) }
                // In ASCII the closing brackets are two places after the opening ones.
                closers.append(bytes[offset] + 2)
                offset += 1
                isFirst = true
            case .string: try skipString()
            case .number: _ = try number()
            case .bool: _ = try bool()
            case .null: try literal("null")
            }
            while let closer = closers.last {
                if try accept(closer) {
                    closers.removeLast()
                    isFirst = false
                    continue
                }
                if !isFirst { try expect(UInt8(ascii: ",")) }
                if closer == UInt8(ascii: "}") {
                    guard try peek() == quote else { throw failure(.malformed) }
                    try skipString()
                    try expect(UInt8(ascii: ":"))
                }
                break
            }
        } while !closers.isEmpty
        return start..<offset
    }

    /// Skips the string that begins at the current offset.
    @inline(__always)
    private mutating func skipString() throws(JSONError) {
        let place = endOfLiteral(from: offset + 1)
        if place < end, bytes[place] == quote {
            offset = place + 1
        } else {
            _ = try stringBody()
        }
    }

    /// Skips an array of numbers, strings, and arrays of one number, and returns its range.
    ///
    /// It looks only for the ends of strings and of the array: the values are checked when they are read.
    ///
    /// - Throws: `unexpected` if the next value is not an array.
    public mutating func skipList() throws(JSONError) -> Range<Int> {
        guard try kind() == .array else { throw failure(.unexpected) }
        let start = offset
        let bytes = bytes
        let text = bytes.span
        var place = start + 1
        var isInString = false
        while true {
            let bracket = text.firstIndex(of: UInt8(ascii: "]"), from: place, before: end)
            guard bracket < end else { throw failure(.malformed) }
            let (isOdd, hasBackslash) = text.occurrences(of: quote, and: backslash, in: place..<bracket)
            // With a backslash, a quote may be inside a string.
            guard !hasBackslash else { return try skipListWithEscapes() }
            isInString = isInString != isOdd
            place = bracket + 1
            guard isInString || isNumberBetweenBrackets(text, before: bracket, after: start) else { break }
        }
        offset = place
        return start..<place
    }

    /// Returns whether there is nothing but digits and white space between a bracket and another one after the start of a list.
    private func isNumberBetweenBrackets(
        _ text: Span<UInt8>, before bracket: Int, after start: Int
    ) -> Bool {
        var place = bracket - 1
        while place > start, JSONNumber.isDigit(text[place]) || text[place] <= UInt8(ascii: " ") {
            place -= 1
        }
        return place > start && text[place] == UInt8(ascii: "[")
    }

    private mutating func skipListWithEscapes() throws(JSONError) -> Range<Int> {
        let start = offset
        let bytes = bytes
        let text = bytes.span.extracting(..<end)
        var place = start + 1
        while place < end,
            text[place] != UInt8(ascii: "]") || isNumberBetweenBrackets(text, before: place, after: start)
        {
            if text[place] == quote { place = JSONEscaping.endOfString(text, from: place) }
            place += 1
        }
        guard place < end else { throw failure(.malformed) }
        offset = place + 1
        return start..<offset
    }

    /// Skips any value and returns its range.
    ///
    /// It looks only for brackets and the ends of strings: what is between them is not checked.
    @discardableResult
    public mutating func skipNested() throws(JSONError) -> Range<Int> {
        let first = try kind()
        guard first == .array || first == .object else { return try skip() }
        let start = offset
        let bytes = bytes
        let text = bytes.span.extracting(..<end)
        var place = start
        var depth = 0
        repeat {
            guard place < end else { throw failure(.malformed) }
            switch text[place] {
            case quote:
                place = JSONEscaping.endOfString(text, from: place)
                guard place < end else { throw failure(.malformed) }
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            place += 1
        } while depth > 0
        offset = place
        return start..<place
    }

    /// Skips a value that was read before, if exactly its text follows; otherwise skips nothing and returns false.
    public mutating func skip(_ text: [UInt8]) -> Bool {
        guard offset + text.count <= end, bytes.span.matches(at: offset, text) else { return false }
        offset += text.count
        return true
    }

    /// Reads the comma before another value, for arrays that are read value by value.
    ///
    /// - Returns: false if only white space follows.
    public mutating func comma() throws(JSONError) -> Bool {
        skipSpace()
        guard offset < end else { return false }
        try expect(UInt8(ascii: ","))
        return true
    }

    /// Checks that only white space follows.
    public mutating func finish() throws(JSONError) {
        skipSpace()
        guard offset == end else { throw failure(.malformed) }
    }

    private mutating func literal(_ text: StaticString) throws(JSONError) {
        let expected = Array(text.description.utf8)
        guard end - offset >= expected.count,
            bytes[offset..<(offset + expected.count)].elementsEqual(expected)
        else {
            throw failure(.malformed)
        }
        offset += expected.count
    }

    @inline(__always)
    private mutating func skipSpace() {
        while offset < end {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0a, 0x0d: offset += 1
            default: return
            }
        }
    }

    @inline(__always)
    mutating func peek() throws(JSONError) -> UInt8 {
        skipSpace()
        guard offset < end else { throw failure(.malformed) }
        return bytes[offset]
    }

    @inline(__always)
    mutating func accept(_ byte: UInt8) throws(JSONError) -> Bool {
        guard try peek() == byte else { return false }
        offset += 1
        return true
    }

    mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard try accept(byte) else { throw failure(.malformed) }
    }

    @inline(__always)
    private static func isNumberByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
