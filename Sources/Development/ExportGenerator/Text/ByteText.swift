/// A buffer of UTF-8 text that is filled, emitted in chunks, and reused.
struct ByteText {
    /// The number of bytes at which the buffer is emitted.
    static let chunkSize = 128 * 1024

    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    /// Passes the text to `emit` and empties the buffer, keeping its capacity.
    mutating func drain<E: Error>(_ emit: (borrowing Span<UInt8>) throws(E) -> Void) throws(E) {
        guard !bytes.isEmpty else { return }
        try emit(bytes.span)
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    mutating func append(_ more: String) {
        bytes.append(contentsOf: more.utf8)
    }

    mutating func append(_ number: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        appendDigits(number.magnitude)
    }

    /// Appends a number with leading zeros, for the fields of dates and times.
    mutating func append(_ number: Int, width: Int) {
        if width == 2 {
            append(Self.digit(UInt(number) / 10 % 10))
            append(Self.digit(UInt(number) % 10))
            return
        }
        var divisor = FixedPoint.powersOfTen[width - 1]
        while divisor > 0 {
            append(Self.digit(UInt(number / divisor) % 10))
            divisor /= 10
        }
    }

    /// Appends a number with a decimal separator and without trailing zeros.
    mutating func append(_ number: FixedPoint, separator: UInt8 = UInt8(ascii: ".")) {
        let scale = UInt(FixedPoint.powersOfTen[number.digits])
        let magnitude = number.units.magnitude
        if number.units < 0 { append(UInt8(ascii: "-")) }
        appendDigits(magnitude / scale)
        var rest = magnitude % scale
        guard rest > 0 else { return }
        append(separator)
        var divisor = scale / 10
        while rest > 0 {
            append(Self.digit(rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }

    /// Appends the given number of digits of a hexadecimal number.
    mutating func append(hexadecimal number: UInt64, digits: Int) {
        var shift = (digits - 1) * 4
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 15
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
            shift -= 4
        }
    }

    private mutating func appendDigits(_ number: UInt) {
        if number >= 10 { appendDigits(number / 10) }
        append(Self.digit(number % 10))
    }

    private static func digit(_ value: UInt) -> UInt8 {
        UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
    }
}
