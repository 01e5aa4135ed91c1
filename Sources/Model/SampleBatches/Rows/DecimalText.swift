import JSONText

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

    /// Returns the number in a token of at most 15 digits without an exponent; nil for any other token.
    @inlinable
    @inline(__always)
    public static func shortNumber(ofToken text: Span<UInt8>, _ range: Range<Int>) -> Double? {
        number(text, range)
    }

    /// Powers of ten that a double represents exactly.
    public static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
        1e19, 1e20, 1e21, 1e22,
    ]

    /// Returns a number of at most 15 digits without an exponent; nil for any other text.
    ///
    /// An integer below 2^53 and a power of ten up to 22 are exact, so their quotient is correctly rounded in one step
    /// (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
    @inlinable
    @inline(__always)
    static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Double? {
        var index = range.lowerBound
        let end = range.upperBound
        guard index < end else { return nil }
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        guard end - index <= 16, index < end else { return nil }
        var digits = 0
        var (count, decimals) = (0, 0)
        var hasPoint = false
        while index < end {
            let digit = text[index] &- 0x30
            if digit < 10 {
                digits = digits &* 10 &+ Int(digit)
                count &+= 1
                if hasPoint { decimals &+= 1 }
            } else {
                guard digit == UInt8(ascii: ".") &- 0x30, !hasPoint, count > 0 else { return nil }
                hasPoint = true
            }
            index &+= 1
        }
        guard count > 0, count <= 15, !hasPoint || decimals > 0 else { return nil }
        let value = decimals == 0 ? Double(digits) : Double(digits) / powersOfTen[decimals]
        return isNegative ? -value : value
    }

    @usableFromInline
    static func slowNumber(_ text: Span<UInt8>, _ range: Range<Int>) -> Double? {
        var token: [UInt8] = []
        for index in range { token.append(text[index]) }
        let digits = JSONEscaping.text(ofToken: token)
        guard let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }
}
