import ByteText

/// Numbers as exports write them.
public enum DecimalText: Sendable {
    /// Returns the number in a JSON token, either a number or a string; nil if it is not a finite number.
    ///
    /// - Parameters:
    ///   - text: The bytes that contain the token.
    ///   - range: The token's range.
    @inlinable
    public static func number(ofToken text: Span<UInt8>, _ range: Range<Int>) -> Double? {
        number(text, range) ?? slowNumber(text, range)
    }

    /// Returns a decimal number, correctly rounded.
    ///
    /// - Parameters:
    ///   - digits: Its digits as an integer.
    ///   - count: How many digits these are, at most 19.
    ///   - power: The power of ten by which they are divided, at most 10^19.
    @inlinable
    @inline(__always)
    public static func number(digits: UInt64, count: Int, dividedBy power: UInt64) -> Double {
        // An integer below 2^53 and a power of ten up to 22 are exact, so their quotient is correctly rounded in one step
        // (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
        count <= 15 ? Double(digits) / Double(power) : quotient(digits, power)
    }

    /// Returns a quotient that is correctly rounded.
    ///
    /// The 64 highest bits of the quotient are exact; all that follow count as one bit, which decides whether it is half-way
    /// between two numbers.
    @usableFromInline
    static func quotient(_ dividend: UInt64, _ divisor: UInt64) -> Double {
        guard dividend != 0 else { return 0 }
        let (up, down) = (dividend.leadingZeroBitCount, divisor.leadingZeroBitCount)
        let (left, right) = (dividend << up, divisor << down)
        let isLess = left < right
        let (bits, rest) = right.dividingFullWidth(isLess ? (left, 0) : (left >> 1, left << 63))
        let scale = Double(sign: .plus, exponent: down - up - (isLess ? 64 : 63), significand: 1)
        return Double(bits | (rest == 0 ? 0 : 1)) * scale
    }

    /// Powers of ten that a double represents exactly.
    public static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
        1e19, 1e20, 1e21, 1e22,
    ]

    /// Returns a number of at most 19 digits without an exponent; nil for any other text.
    @inlinable
    @inline(__always)
    static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Double? {
        var index = range.lowerBound
        let end = range.upperBound
        guard index < end else { return nil }
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        guard end - index <= 20, index < end else { return nil }
        var (digits, power): (UInt64, UInt64) = (0, 1)
        var count = 0
        var hasPoint = false
        while index < end {
            let digit = text[index] &- 0x30
            if digit < 10 {
                digits = digits &* 10 &+ UInt64(digit)
                count &+= 1
                if hasPoint { power = power &* 10 }
            } else {
                guard digit == UInt8(ascii: ".") &- 0x30, !hasPoint, count > 0 else { return nil }
                hasPoint = true
            }
            index &+= 1
        }
        guard count > 0, count <= 19, !hasPoint || power > 1 else { return nil }
        let value = number(digits: digits, count: count, dividedBy: power)
        return isNegative ? -value : value
    }

    @usableFromInline
    static func slowNumber(_ text: Span<UInt8>, _ range: Range<Int>) -> Double? {
        // A string with a number, as sources write one with zeroes at its end.
        let quote = UInt8(ascii: "\"")
        if range.count > 2, text[range.lowerBound] == quote, text[range.upperBound - 1] == quote,
            let value = number(text, (range.lowerBound + 1)..<(range.upperBound - 1))
        {
            return value
        }
        var token: [UInt8] = []
        for index in range { token.append(text[index]) }
        let digits = JSONEscaping.text(ofToken: token)
        guard let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }
}
