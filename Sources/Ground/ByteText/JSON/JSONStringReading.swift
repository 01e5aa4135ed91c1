extension JSONReader {
    /// Reads a string as text.
    ///
    /// - Throws: `malformed` if its bytes are not UTF-8.
    public mutating func string() throws(JSONError) -> String {
        let start = offset
        return try text(of: try stringBody(), at: start)
    }

    private func text(of body: (range: Range<Int>, isPlain: Bool), at start: Int) throws(JSONError) -> String
    {
        // Without escapes the bytes are known to be UTF-8.
        if body.isPlain { return String(decoding: bytes[body.range], as: UTF8.self) }
        guard let text = String(validating: try unescaped(body.range), as: UTF8.self) else {
            throw JSONError(.malformed, at: start)
        }
        return text
    }

    /// Reads a string as the bytes that `JSONEscaping` encoded.
    ///
    /// - Throws: `malformed` also for a lone surrogate that represents no byte, although RFC 8259 allows it.
    public mutating func stringBytes() throws(JSONError) -> [UInt8] {
        let (range, isPlain) = try stringBody()
        return isPlain ? [UInt8](bytes[range]) : try unescaped(range)
    }

    /// Returns the bytes that the body of a string, as found by `stringBody`, represents.
    ///
    /// - Throws: `malformed` for a lone surrogate that represents no byte, and for lone surrogates that together
    ///   represent a character: readers could take these for the character or for its bytes.
    public func unescaped(_ range: Range<Int>) throws(JSONError) -> [UInt8] {
        var unescaped: [UInt8] = []
        unescaped.reserveCapacity(range.count)
        var index = range.lowerBound
        var malformed = 0
        while index < range.upperBound {
            if bytes[index] == backslash {
                let count = unescaped.count
                index = try unescape(at: index, before: range.upperBound, into: &unescaped)
                // No character above U+007F has a single byte.
                if unescaped.count == count + 1, unescaped[count] >= 0x80 { malformed += 1 }
            } else {
                unescaped.append(bytes[index])
                index += 1
            }
        }
        guard malformed == 0 || JSONEscaping.malformedCount(unescaped.span) == malformed else {
            throw JSONError(.malformed, at: range.lowerBound)
        }
        return unescaped
    }

    /// Whether any string of the text, which must be JSON, contains a lone surrogate.
    public var hasLoneSurrogate: Bool {
        var index = 0
        while let place = bytes[index..<end].firstIndex(of: backslash) {
            guard let unit = try? unit(at: place, before: end), bytes[place + 1] == UInt8(ascii: "u"),
                (0xd800..<0xe000).contains(unit)
            else {
                index = min(place + 2, end)
                continue
            }
            guard unit < 0xdc00, place + 7 < end, bytes[place + 6] == backslash,
                bytes[place + 7] == UInt8(ascii: "u"),
                let low = try? self.unit(at: place + 6, before: end), (0xdc00..<0xe000).contains(low)
            else { return true }
            index = place + 12
        }
        return false
    }

    /// Reads a string and returns the range of its body, without the quotes, and whether it has no escapes.
    public mutating func stringBody() throws(JSONError) -> (range: Range<Int>, isPlain: Bool) {
        guard try kind() == .string else { throw failure(.unexpected) }
        let start = offset + 1
        let place = endOfLiteral(from: start)
        offset = place
        guard place < end, bytes[place] == quote else {
            let body = start..<(try endOfBody())
            return (body, !bytes[place..<body.upperBound].contains(backslash))
        }
        offset += 1
        return (start..<place, true)
    }

    /// Returns a place up to which the characters from `start` on stand for themselves: their end, if eight bytes follow.
    ///
    /// A function that does not change the reader reads its bytes without counting a reference.
    @inline(__always)
    func endOfLiteral(from start: Int) -> Int {
        let text = bytes.span.extracting(..<end)
        return JSONEscaping.endOfLiteral(text, from: start) { text.endOfRun(from: $0) { $0.plainCount } }
    }

    /// Reads the rest of a string, and returns the end of its body.
    private mutating func endOfBody() throws(JSONError) -> Int {
        while offset < end {
            let byte = bytes[offset]
            if byte == quote {
                offset += 1
                return offset - 1
            }
            if byte < 0x20 { throw failure(.malformed) }
            if byte < 0x80 {
                offset += byte == backslash ? try escapeLength() : 1
            } else {
                let length = JSONEscaping.sequenceLength(bytes.span, at: offset)
                guard length > 0 else { throw failure(.malformed) }
                offset += length
            }
        }
        throw failure(.malformed)
    }

    /// Returns the length of the escape at the current offset.
    private func escapeLength() throws(JSONError) -> Int {
        guard offset + 1 < end else { throw failure(.malformed) }
        switch bytes[offset + 1] {
        case quote, backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "t"), UInt8(ascii: "n"),
            UInt8(ascii: "f"), UInt8(ascii: "r"):
            return 2
        case UInt8(ascii: "u"):
            _ = try unit(at: offset, before: end)
            return 6
        default: throw failure(.malformed)
        }
    }

    private func unescape(
        at index: Int, before limit: Int, into output: inout [UInt8]
    ) throws(JSONError) -> Int {
        guard index + 1 < limit else { throw JSONError(.malformed, at: index) }
        switch bytes[index + 1] {
        case quote, backslash, UInt8(ascii: "/"): output.append(bytes[index + 1])
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "n"): output.append(0x0a)
        case UInt8(ascii: "f"): output.append(0x0c)
        case UInt8(ascii: "r"): output.append(0x0d)
        case UInt8(ascii: "u"): return try unescapeUnit(at: index, before: limit, into: &output)
        default: throw JSONError(.malformed, at: index)
        }
        return index + 2
    }

    private func unescapeUnit(
        at index: Int, before limit: Int, into output: inout [UInt8]
    ) throws(JSONError) -> Int {
        let unit = try unit(at: index, before: limit)
        if unit >= 0xd800, unit < 0xdc00, index + 7 < limit, bytes[index + 6] == backslash,
            bytes[index + 7] == UInt8(ascii: "u")
        {
            let low = try self.unit(at: index + 6, before: limit)
            if low >= 0xdc00, low < 0xe000,
                let pair = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
            {
                output.append(contentsOf: UTF8.encode(pair).map(Array.init) ?? [])
                return index + 12
            }
        }
        if let scalar = Unicode.Scalar(unit) {
            output.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
        } else if unit >= 0xdc80, unit <= 0xdcff {
            output.append(UInt8(unit - 0xdc00))
        } else {
            throw JSONError(.malformed, at: index)
        }
        return index + 6
    }

    private func unit(at index: Int, before limit: Int) throws(JSONError) -> UInt32 {
        guard index + 6 <= limit else { throw JSONError(.malformed, at: index) }
        var unit: UInt32 = 0
        for offset in (index + 2)..<(index + 6) {
            switch bytes[offset] {
            case 0x30...0x39: unit = unit << 4 | UInt32(bytes[offset] - 0x30)
            case 0x41...0x46: unit = unit << 4 | UInt32(bytes[offset] - 0x37)
            case 0x61...0x66: unit = unit << 4 | UInt32(bytes[offset] - 0x57)
            default: throw JSONError(.malformed, at: offset)
            }
        }
        return unit
    }
}
