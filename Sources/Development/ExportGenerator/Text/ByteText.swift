import CivilTime

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

    /// Appends a number with leading zeros.
    mutating func append(_ number: Int, width: Int) {
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

    /// Appends the last digits of a hexadecimal number.
    mutating func append(hexadecimal number: UInt64, digits: Int, tenth: UInt8 = UInt8(ascii: "a")) {
        var shift = (digits - 1) * 4
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 15
            append(digit < 10 ? UInt8(ascii: "0") + digit : tenth - 10 + digit)
            shift -= 4
        }
    }

    /// Appends `2026-01-15 09:30:00 +0100`.
    mutating func append(_ time: Timestamp) {
        time.appendApple(to: &bytes)
    }

    /// Appends `2026-01-15T08:30:00Z`.
    mutating func append(universal instant: Int) {
        Timestamp(seconds: instant, offsetMinutes: 0).appendISO(to: &bytes)
        bytes.removeLast("+00:00".utf8.count)
        append(UInt8(ascii: "Z"))
    }

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

    private mutating func appendDigits(_ number: UInt) {
        if number >= 10 { appendDigits(number / 10) }
        append(Self.digit(number % 10))
    }

    private static func digit(_ value: UInt) -> UInt8 {
        UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
    }
}

/// A decimal number: an integer, and the number of its digits after the decimal separator.
///
/// Libraries print floating-point numbers differently; this prints the same everywhere.
struct FixedPoint {
    let units: Int
    let digits: Int

    static let powersOfTen: [Int] = (0...18).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    init(units: Int, digits: Int) {
        self.units = units
        self.digits = digits
    }

    /// Draws a number from a range of thousandths, with any number of digits.
    init(thousandths: ClosedRange<Int>, digits: Int, from chance: inout SplitMix64) {
        self.init(units: chance.pick(from: Self.units(thousandths, digits: digits)), digits: digits)
    }

    /// Converts a range of thousandths to units of the last digit.
    static func units(_ thousandths: ClosedRange<Int>, digits: Int) -> ClosedRange<Int> {
        guard digits < 3 else {
            let factor = powersOfTen[digits - 3]
            return thousandths.lowerBound * factor...thousandths.upperBound * factor
        }
        let divisor = powersOfTen[3 - digits]
        return thousandths.lowerBound / divisor...thousandths.upperBound / divisor
    }
}
