/// Unsigned integers in groups of seven bits, the lowest first; the high bit means that another group follows.
///
/// Signed integers are zigzag-encoded first, so that small magnitudes stay short.
public enum Varint: Sendable {
    /// The maximum length in bytes.
    public static let longest = 10

    /// Appends an integer.
    public static func append(_ value: Int, to output: inout [UInt8]) {
        output.append(addingCapacity: longest) { (output: inout OutputSpan<UInt8>) in
            append(value, to: &output)
        }
    }

    /// Appends an integer; the output must have room for it.
    @inlinable
    @inline(__always)
    public static func append(_ value: Int, to output: inout OutputSpan<UInt8>) {
        var rest = UInt(bitPattern: value)
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes an integer at `offset` and advances the offset; the output must have room for it.
    @inlinable
    @inline(__always)
    public static func put(_ value: Int, into output: inout MutableSpan<UInt8>, at offset: inout Int) {
        var rest = UInt(bitPattern: value)
        while rest >= 0x80 {
            output[offset] = UInt8(truncatingIfNeeded: rest) | 0x80
            offset += 1
            rest >>= 7
        }
        output[offset] = UInt8(truncatingIfNeeded: rest)
        offset += 1
    }

    /// Writes a signed integer at `offset` and advances the offset; the output must have room for it.
    @inlinable
    @inline(__always)
    public static func putSigned(_ value: Int, into output: inout MutableSpan<UInt8>, at offset: inout Int) {
        put(folded(value), into: &output, at: &offset)
    }

    /// Appends a signed integer; the output must have room for it.
    @inlinable
    @inline(__always)
    public static func appendSigned(_ value: Int, to output: inout OutputSpan<UInt8>) {
        append(folded(value), to: &output)
    }

    static func appendSigned(_ value: Int, to output: inout [UInt8]) { append(folded(value), to: &output) }

    /// Returns the number of bytes that an integer takes.
    @inlinable
    @inline(__always)
    public static func length(of value: Int) -> Int {
        var rest = UInt(bitPattern: value)
        var length = 1
        while rest >= 0x80 {
            length += 1
            rest >>= 7
        }
        return length
    }

    @inlinable
    @inline(__always)
    static func folded(_ value: Int) -> Int { value << 1 ^ value >> (Int.bitWidth - 1) }

    /// Reads the integer at `offset` and advances the offset.
    @inlinable
    @inline(__always)
    public static func read(_ bytes: Span<UInt8>, at offset: inout Int) -> Int {
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
    @inlinable
    @inline(__always)
    public static func readSigned(_ bytes: Span<UInt8>, at offset: inout Int) -> Int {
        let folded = UInt(bitPattern: read(bytes, at: &offset))
        return Int(bitPattern: folded >> 1) ^ -Int(bitPattern: folded & 1)
    }
}
