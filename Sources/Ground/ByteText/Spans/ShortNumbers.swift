// Numbers of a few bytes, each with a comma behind it, as in most columns. One word holds such a number with its comma.

extension Span<UInt8> {
    /// Reads integers of at most seven bytes, each with a comma behind it.
    ///
    /// - Parameters:
    ///   - most: The most integers to read.
    ///   - use: Receives one after the other.
    /// - Returns: The offset after the last comma. If fewer than `most` were read, what follows is anything else, or stands in
    ///   the last seven bytes.
    @inlinable
    @inline(__always)
    public func readShortIntegers(from start: Int, most: Int, _ use: (Int) -> Void) -> Int {
        precondition(start >= 0, "a place in the span")
        var (place, left) = (start, most)
        while left > 0, place <= count &- 8 {
            let text = word(unchecked: place)
            let isNegative = text & 0xff == 0x2d
            let word = isNegative ? text &>> 8 : text
            let digits = word ^ 0x30 &* EightBytes.ones
            // The number of bits of the digits.
            let length = UInt64(truncatingIfNeeded: EightBytes.noDigits(digits).trailingZeroBitCount) & 0x78
            guard length > 0, length < 64, word &>> length & 0xff == 0x2c, digits & 0xff != 0 || length == 8
            else { break }
            // In most columns of contexts and contents there is nothing else.
            if length == 8, left >= 4, EightBytes(text).areFourDigits {
                use(Int(truncatingIfNeeded: text & 0xf))
                use(Int(truncatingIfNeeded: text &>> 16 & 0xf))
                use(Int(truncatingIfNeeded: text &>> 32 & 0xf))
                use(Int(truncatingIfNeeded: text &>> 48 & 0xf))
                place &+= 8
                left &-= 4
                continue
            }
            let value = EightBytes.number(ofShiftedDigits: digits &<< (64 &- length))
            use(isNegative ? 0 &- value : value)
            place &+= Int(truncatingIfNeeded: length &>> 3) &+ (isNegative ? 2 : 1)
            left &-= 1
        }
        return place
    }

    /// Returns a number without sign and exponent, of at most seven bytes with a comma behind them; nil for anything else.
    ///
    /// - Returns: The number of its bytes, the number of those behind the point, and the number that all of its digits form.
    @inlinable
    @inline(__always)
    public func shortNumber(at place: Int) -> (length: Int, decimals: Int, digits: Int)? {
        guard place >= 0, place <= count &- 8 else { return nil }
        let word = word(unchecked: place)
        var digits = word ^ 0x30 &* EightBytes.ones
        let others = EightBytes.noDigits(digits)
        var length = UInt64(truncatingIfNeeded: others.trailingZeroBitCount) & 0x78
        guard length > 0, length < 64, digits & 0xff != 0 || length == 8 else { return nil }
        var decimals: UInt64 = 0
        if word &>> length & 0xff == 0x2e {
            // Neither the point nor a byte before it can have carried into those behind.
            let end = UInt64(truncatingIfNeeded: (others & (others &- 1)).trailingZeroBitCount) & 0x78
            guard end > length &+ 8, end < 64 else { return nil }
            let whole = 1 &<< length &- 1
            digits = digits & whole | digits &>> 8 & ~whole
            decimals = end &- length &- 8
            length = end
        }
        guard word &>> length & 0xff == 0x2c else { return nil }
        let bits = decimals > 0 ? length &- 8 : length
        return (
            Int(truncatingIfNeeded: length &>> 3), Int(truncatingIfNeeded: decimals &>> 3),
            EightBytes.number(ofShiftedDigits: digits &<< (64 &- bits))
        )
    }
}
