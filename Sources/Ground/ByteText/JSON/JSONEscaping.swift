/// Converts bytes to JSON strings and back without losing any.
///
/// Well-formed UTF-8 is unchanged; `"` and `\` are escaped, control characters below U+0020 in their short form where
/// JSON has one. A byte that is not part of well-formed UTF-8 becomes a lone low surrogate, `\udc80` to `\udcff`,
/// which no well-formed text contains: Python calls this "surrogateescape" (PEP 383).
public enum JSONEscaping: Sendable {
    /// Appends `bytes` as a JSON string with its quotes.
    ///
    /// - Returns: The number of bytes that were not well-formed UTF-8.
    @discardableResult
    public static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) -> Int {
        var malformed = 0
        output.append(quote)
        var index = 0
        while index < bytes.count {
            let start = index
            index = bytes.endOfRun(from: index) { $0.plainCount }
            while index < bytes.count, isPlain(bytes[index]) { index += 1 }
            if index > start { output.append(copying: bytes.extracting(start..<index)) }
            guard index < bytes.count else { break }
            let byte = bytes[index]
            if byte < 0x80 {
                appendASCII(byte, to: &output)
                index += 1
                continue
            }
            let length = sequenceLength(bytes, at: index)
            if length == 0 {
                malformed += 1
                appendUnit(0xdc00 + UInt16(byte), to: &output)
                index += 1
            } else {
                output.append(copying: bytes.extracting(index..<(index + length)))
                index += length
            }
        }
        output.append(quote)
        return malformed
    }

    /// Appends text as a JSON string with its quotes.
    public static func append(_ text: String, to output: inout [UInt8]) {
        append(text.utf8Span.span, to: &output)
    }

    /// Returns the bytes that a JSON token represents: the content of a string, or a number as it is written.
    public static func text(ofToken token: [UInt8]) -> [UInt8] {
        guard token.first == quote else { return token }
        var reader = JSONReader(token)
        return (try? reader.stringBytes()) ?? token
    }

    /// Whether bytes are well-formed UTF-8.
    public static func isWellFormed(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            let length = bytes[index] < 0x80 ? 1 : sequenceLength(bytes, at: index)
            if length == 0 { return false }
            index += length
        }
        return true
    }

    /// Returns the number of bytes that are not part of well-formed UTF-8.
    static func malformedCount(_ bytes: Span<UInt8>) -> Int {
        var count = 0
        var index = 0
        while index < bytes.count {
            let length = sequenceLength(bytes, at: index)
            if length == 0 { count += 1 }
            index += max(length, 1)
        }
        return count
    }

    /// Whether the last bytes are well-formed UTF-8, whatever comes before them.
    public static func endsWellFormed(_ bytes: Span<UInt8>) -> Bool {
        bytes.isEmpty
            || (1...min(4, bytes.count)).contains { sequenceLength(bytes, at: bytes.count - $0) == $0 }
    }

    /// Whether the first bytes are well-formed UTF-8, whatever comes after them.
    public static func startsWellFormed(_ bytes: Span<UInt8>) -> Bool {
        bytes.isEmpty || sequenceLength(bytes, at: 0) > 0
    }

    /// Returns bytes as well-formed UTF-8, replacing each byte that is not part of it by U+FFFD.
    public static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        if isWellFormed(bytes.span) { return bytes }
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let length = sequenceLength(bytes.span, at: index)
            text += length == 0 ? [0xef, 0xbf, 0xbd] : bytes[index..<(index + length)]
            index += max(length, 1)
        }
        return text
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte <= 0x7e && byte != quote && byte != backslash
    }

    private static func appendASCII(_ byte: UInt8, to output: inout [UInt8]) {
        switch byte {
        case quote, backslash: output.append(contentsOf: [backslash, byte])
        case 0x20...: output.append(byte)
        case 0x08: output.append(contentsOf: [backslash, 0x62])
        case 0x09: output.append(contentsOf: [backslash, 0x74])
        case 0x0a: output.append(contentsOf: [backslash, 0x6e])
        case 0x0c: output.append(contentsOf: [backslash, 0x66])
        case 0x0d: output.append(contentsOf: [backslash, 0x72])
        default: appendUnit(UInt16(byte), to: &output)
        }
    }

    /// Appends a UTF-16 code unit as `\u` and four hexadecimal digits.
    private static func appendUnit(_ unit: UInt16, to output: inout [UInt8]) {
        output.append(contentsOf: [backslash, 0x75])
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 15
            output.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    /// Returns the place of the quote that ends the string with this opening quote; the end of the bytes if there is none.
    @inlinable
    @inline(__always)
    public static func endOfString(_ bytes: Span<UInt8>, from opening: Int) -> Int {
        var place = opening + 1
        while true {
            place = bytes.endOfRun(from: place) { $0.stringCount }
            guard place < bytes.count else { return bytes.count }
            switch bytes[place] {
            case UInt8(ascii: "\""): return place
            case UInt8(ascii: "\\"): place += 2
            // One of the last few bytes.
            default: place += 1
            }
        }
    }

    /// Returns the end of the characters from `start` on that stand for themselves in a string.
    ///
    /// - Parameter endOfPlain: Returns the end of those that are ASCII; few are not.
    @inlinable
    @inline(__always)
    public static func endOfLiteral(
        _ bytes: Span<UInt8>, from start: Int, _ endOfPlain: (Int) -> Int
    ) -> Int {
        var end = endOfPlain(start)
        while end < bytes.count, bytes[end] >= 0x80 {
            let length = sequenceLength(bytes, at: end)
            guard length > 0 else { break }
            end = endOfPlain(end + length)
        }
        return end
    }

    /// Returns the length of the well-formed UTF-8 sequence at `index`, 0 if there is none (Unicode 15, table 3-7).
    @usableFromInline
    static func sequenceLength(_ bytes: Span<UInt8>, at index: Int) -> Int {
        func tail(_ offset: Int, _ low: UInt8 = 0x80, _ high: UInt8 = 0xbf) -> Bool {
            index + offset < bytes.count && bytes[index + offset] >= low && bytes[index + offset] <= high
        }
        switch bytes[index] {
        case 0x00...0x7f: return 1
        case 0xc2...0xdf: return tail(1) ? 2 : 0
        case 0xe0: return tail(1, 0xa0) && tail(2) ? 3 : 0
        case 0xed: return tail(1, 0x80, 0x9f) && tail(2) ? 3 : 0
        case 0xe1...0xef: return tail(1) && tail(2) ? 3 : 0
        case 0xf0: return tail(1, 0x90) && tail(2) && tail(3) ? 4 : 0
        case 0xf1...0xf3: return tail(1) && tail(2) && tail(3) ? 4 : 0
        case 0xf4: return tail(1, 0x80, 0x8f) && tail(2) && tail(3) ? 4 : 0
        default: return 0
        }
    }
}

let quote = UInt8(ascii: "\"")
let backslash = UInt8(ascii: "\\")
