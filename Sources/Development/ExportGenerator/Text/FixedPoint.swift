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
