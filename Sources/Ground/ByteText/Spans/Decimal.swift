/// Writes numbers in decimal.
@usableFromInline
enum Decimal: Sendable {
    /// Number of digits of 2^64 - 1, the largest number.
    @usableFromInline static let mostDigits = 20

    /// Writes the digits of a number and returns how many there are, at most 20.
    @unsafe
    @inlinable
    @inline(__always)
    static func write(_ value: UInt, to target: UnsafeMutablePointer<UInt8>) -> Int {
        if value < 10 {
            unsafe target[0] = 0x30 | UInt8(truncatingIfNeeded: value)
            return 1
        }
        if value < 100 {
            unsafe writePair(value, to: target)
            return 2
        }
        if value < 10_000 {
            let (high, low) = value.quotientAndRemainder(dividingBy: 100)
            if high < 10 {
                unsafe target[0] = 0x30 | UInt8(truncatingIfNeeded: high)
                unsafe writePair(low, to: target + 1)
                return 3
            }
            unsafe writePair(high, to: target)
            unsafe writePair(low, to: target + 2)
            return 4
        }
        let length = digits(in: value)
        unsafe write(value, digits: length, to: target)
        return length
    }

    /// Writes a number below 100 as two digits.
    @unsafe
    @inlinable
    @inline(__always)
    static func writePair(_ value: UInt, to target: UnsafeMutablePointer<UInt8>) {
        let tens = (value &* 103) &>> 10
        let pair = 0x3030 | tens | (value &- 10 &* tens) &<< 8
        unsafe UnsafeMutableRawPointer(target).storeBytes(
            of: UInt16(truncatingIfNeeded: pair).littleEndian, as: UInt16.self)
    }

    /// Writes the digits of a number that has so many.
    @unsafe
    @inlinable
    @inline(__always)
    static func write(_ value: UInt, digits length: Int, to target: UnsafeMutablePointer<UInt8>) {
        var rest = value
        var place = length
        while place >= 2 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            place -= 2
            unsafe writePair(pair, to: target + place)
            rest = quotient
        }
        if place == 1 { unsafe target[0] = 0x30 + UInt8(truncatingIfNeeded: rest) }
    }

    /// Returns the number of digits in a number.
    @inlinable
    @inline(__always)
    static func digits(in value: UInt) -> Int {
        if value < 10 { return 1 }
        if value < 100 { return 2 }
        if value < 1000 { return 3 }
        if value < 10_000 { return 4 }
        var digits = 5
        var rest = value / 100_000
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        return digits
    }
}
