/// Numbers, digests and checksums as hexadecimal digits, with letters in lower case.
public enum Hexadecimal: Sendable {
    /// Returns two digits for each byte.
    public static func text(_ bytes: [UInt8]) -> String {
        let digits = [UInt8](capacity: 2 * bytes.count) { (output: inout OutputSpan<UInt8>) in
            for byte in bytes {
                output.append(digit(byte >> 4))
                output.append(digit(byte & 15))
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the bytes that pairs of lower-case digits encode; nil if a text is anything else.
    public static func bytes(_ text: String) -> [UInt8]? { bytes(text.utf8Span.span) }

    /// Returns the bytes that pairs of lower-case digits encode; nil if a text is anything else.
    public static func bytes(_ digits: Span<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var combined: UInt8 = 0
        let bytes = [UInt8](capacity: digits.count / 2) { (output: inout OutputSpan<UInt8>) in
            for place in stride(from: 0, to: digits.count, by: 2) {
                let (high, low) = (value(digits[place]), value(digits[place + 1]))
                combined |= high | low
                output.append(high << 4 | low)
            }
        }
        return combined < 16 ? bytes : nil
    }

    /// Returns the number that lower-case digits encode in their full width; nil if a text is anything else.
    @inlinable
    public static func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ digits: Span<UInt8>, _ type: Number.Type
    ) -> Number? {
        guard digits.count == Number.bitWidth / 4 else { return nil }
        var (number, combined): (Number, UInt8) = (0, 0)
        var place = 0
        while place < digits.count {
            // A word at a time, because shifting 128 bits for each digit takes twice as long.
            let end = min(place + 16, digits.count)
            var word: UInt64 = 0
            while place < end {
                let value = value(digits[place])
                combined |= value
                word = word << 4 | UInt64(value & 15)
                place += 1
            }
            number = number << 64 | Number(truncatingIfNeeded: word)
        }
        return combined < 16 ? number : nil
    }

    /// The value of a digit; 255 for anything else, upper-case letters included.
    @inlinable
    @inline(__always)
    static func value(_ byte: UInt8) -> UInt8 {
        let (digit, letter) = (byte &- 0x30, byte &- 0x61)
        return digit < 10 ? digit : letter < 6 ? letter &+ 10 : 255
    }

    /// Returns the digits of a number in its full width, the most significant first.
    @inlinable
    public static func text<Number: FixedWidthInteger & UnsignedInteger>(_ value: Number) -> String {
        text(
            stride(from: Number.bitWidth - 8, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: value >> $0)
            })
    }

    /// Appends the digits of a number in its full width, the most significant first.
    @inlinable
    public static func append<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: Number, to output: inout [UInt8]
    ) {
        output.append(addingCapacity: Number.bitWidth / 4) { (output: inout OutputSpan<UInt8>) in
            append(value, to: &output)
        }
    }

    /// Appends the digits of a number in its full width, the most significant first; there must be room for them.
    @inlinable
    @inline(__always)
    public static func append<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: Number, to output: inout OutputSpan<UInt8>
    ) {
        if Number.bitWidth % 32 == 0 {
            for shift in stride(from: Number.bitWidth - 32, through: 0, by: -32) {
                output.append(word: digits(UInt32(truncatingIfNeeded: value >> Number(shift))))
            }
            return
        }
        var rest = value.byteSwapped
        for _ in 0..<(Number.bitWidth / 8) {
            let byte = UInt8(truncatingIfNeeded: rest)
            output.append(digit(byte >> 4))
            output.append(digit(byte & 15))
            rest >>= 8
        }
    }

    /// Returns the eight digits of a number, the most significant in the lowest bits.
    @inlinable
    @inline(__always)
    static func digits(_ value: UInt32) -> UInt64 {
        let number = UInt64(value)
        // Spreads the halves, then the bytes, then the four bits of each digit.
        var digits = (number & 0xffff) << 32 | number >> 16
        digits = (digits & 0x0000_00ff_0000_00ff) << 16 | (digits & 0x0000_ff00_0000_ff00) >> 8
        digits = (digits & 0x000f_000f_000f_000f) << 8 | (digits & 0x00f0_00f0_00f0_00f0) >> 4
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    }

    /// Whether the byte is a digit, in either case.
    @inlinable
    @inline(__always)
    public static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
    }

    @inlinable
    @inline(__always)
    static func digit(_ value: UInt8) -> UInt8 { value &+ (value < 10 ? 0x30 : 0x57) }
}
