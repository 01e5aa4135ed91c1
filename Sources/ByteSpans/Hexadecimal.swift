/// Numbers, digests and checksums as hexadecimal digits, those that are letters in lower case.
public enum Hexadecimal: Sendable {
    /// Two digits for each byte.
    public static func text(_ bytes: [UInt8]) -> String {
        let digits = [UInt8](capacity: 2 * bytes.count) { (output: inout OutputSpan<UInt8>) in
            for byte in bytes {
                output.append(digit(byte >> 4))
                output.append(digit(byte & 15))
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// As many digits as the number has room for, the highest first.
    @inlinable
    public static func text<Number: FixedWidthInteger & UnsignedInteger>(_ value: Number) -> String {
        text(
            stride(from: Number.bitWidth - 8, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: value >> $0)
            })
    }

    /// The byte is a digit, in either case.
    @inlinable
    @inline(__always)
    public static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
