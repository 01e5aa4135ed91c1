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
    public static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes = [UInt8](repeating: 0, count: digits.count / 2)
        for (place, byte) in digits.enumerated() {
            guard let value = value(byte) else { return nil }
            bytes[place / 2] = bytes[place / 2] << 4 | value
        }
        return bytes
    }

    /// Returns the number that lower-case digits encode in their full width; nil if a text is anything else.
    @inlinable
    public static func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ text: String, _ type: Number.Type
    ) -> Number? {
        var number: Number = 0
        var count = 0
        for byte in text.utf8 {
            guard let value = value(byte), count < Number.bitWidth / 4 else { return nil }
            number = number << 4 | Number(value)
            count += 1
        }
        return count == Number.bitWidth / 4 ? number : nil
    }

    /// The value of a digit; nil for anything else, upper-case letters included.
    @usableFromInline
    static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x57
        default: nil
        }
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
