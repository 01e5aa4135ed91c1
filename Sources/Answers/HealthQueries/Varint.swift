/// Unsigned integers in groups of seven bits, the lowest first; the high bit means that another group follows.
///
/// Signed integers are zigzag-encoded first, so that small magnitudes stay short.
enum Varint: Sendable {
    /// The maximum length in bytes.
    static let longest = 10

    /// Appends an integer; the output must have room for it.
    @inline(__always)
    static func append(_ value: Int, to output: inout OutputSpan<UInt8>) {
        var rest = UInt(bitPattern: value)
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a signed integer; the output must have room for it.
    @inline(__always)
    static func appendSigned(_ value: Int, to output: inout OutputSpan<UInt8>) {
        append(value << 1 ^ value >> (Int.bitWidth - 1), to: &output)
    }

    /// Reads the integer at `offset` and advances the offset.
    @inline(__always)
    static func read(_ bytes: Span<UInt8>, at offset: inout Int) -> Int {
        var byte = bytes[offset]
        offset += 1
        if byte < 0x80 { return Int(byte) }
        var value = UInt(byte & 0x7f)
        var shift: UInt = 7
        repeat {
            byte = bytes[offset]
            offset += 1
            value |= UInt(byte & 0x7f) << shift
            shift += 7
        } while byte >= 0x80
        return Int(bitPattern: value)
    }

    /// Reads the signed integer at `offset` and advances the offset.
    @inline(__always)
    static func readSigned(_ bytes: Span<UInt8>, at offset: inout Int) -> Int {
        let folded = UInt(bitPattern: read(bytes, at: &offset))
        return Int(bitPattern: folded >> 1) ^ -Int(bitPattern: folded & 1)
    }
}
