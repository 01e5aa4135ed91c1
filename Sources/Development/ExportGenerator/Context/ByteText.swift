import ByteText

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

    mutating func append(_ byte: UInt8) { bytes.append(byte) }
    mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }
    mutating func append(_ more: String) { bytes.append(contentsOf: more.utf8) }

    /// Appends a number, with leading zeros if it is shorter than a width.
    mutating func append(_ number: Int, width: Int = 1) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(digits: number.magnitude, width: width)
    }

    /// Appends a number with a decimal separator and without trailing zeros.
    mutating func append(_ number: FixedPoint, separator: UInt8 = UInt8(ascii: ".")) {
        let scale = UInt(FixedPoint.powersOfTen[number.digits])
        let magnitude = number.units.magnitude
        if number.units < 0 { append(UInt8(ascii: "-")) }
        append(digits: magnitude / scale)
        var (rest, width) = (magnitude % scale, number.digits)
        guard rest > 0 else { return }
        while rest % 10 == 0 {
            rest /= 10
            width -= 1
        }
        append(separator)
        append(digits: rest, width: width)
    }

    private mutating func append(digits number: UInt, width: Int = 1) {
        if number >= 10 || width > 1 { append(digits: number / 10, width: width - 1) }
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends the last digits of a hexadecimal number.
    mutating func append(hexadecimal number: UInt64, digits: Int, tenth: UInt8 = UInt8(ascii: "a")) {
        for place in (0..<digits).reversed() {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * place)) & 15
            append(digit < 10 ? UInt8(ascii: "0") + digit : tenth - 10 + digit)
        }
    }

    /// Appends `2026-01-15 09:30:00 +0100`.
    mutating func append(_ time: Timestamp) { time.appendApple(to: &bytes) }

    /// Appends text for an attribute, with the four entities that Apple uses; all other characters stay unchanged.
    mutating func append(escaped more: String) {
        for byte in more.utf8 {
            switch byte {
            case UInt8(ascii: "&"): append("&amp;")
            case UInt8(ascii: "<"): append("&lt;")
            case UInt8(ascii: ">"): append("&gt;")
            case UInt8(ascii: "\""): append("&quot;")
            default: append(byte)
            }
        }
    }

    /// Returns text for an attribute.
    static func escaped(_ text: String) -> String {
        var escaped = ByteText()
        escaped.append(escaped: text)
        return String(decoding: escaped.bytes, as: UTF8.self)
    }
}

/// A decimal number: an integer, and the number of its digits after the decimal separator.
///
/// Libraries print floating-point numbers differently; this prints the same everywhere.
struct FixedPoint {
    let units: Int
    let digits: Int

    static let powersOfTen = (0...18).map { exponent in (0..<exponent).reduce(1) { power, _ in power * 10 } }

    /// Converts a range of thousandths to units of the last digit.
    static func units(_ thousandths: ClosedRange<Int>, digits: Int) -> ClosedRange<Int> {
        let (factor, divisor) = (powersOfTen[max(digits - 3, 0)], powersOfTen[max(3 - digits, 0)])
        return thousandths.lowerBound * factor / divisor...thousandths.upperBound * factor / divisor
    }
}
