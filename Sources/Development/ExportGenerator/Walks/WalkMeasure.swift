/// How the steps, the distance or the energy of a walk are measured and recorded.
///
/// Amounts are integers, in a unit small enough for the amount in each second to be a whole number.
struct WalkMeasure {
    /// The possible amounts per second.
    let rate: ClosedRange<Int>

    /// The amount represented by one in the last digit of a record's value.
    let unit: Int

    /// The number of digits after the decimal point of a record's value.
    let digits: Int

    /// The measures, by the types of their records.
    static let byType: [String: WalkMeasure] = [
        // Thousandths of a step: 87 to 123 steps a minute, recorded as whole steps.
        "HKQuantityTypeIdentifierStepCount": WalkMeasure(rate: 1_450...2_050, unit: 1000, digits: 0),
        // Micrometres, recorded as kilometres.
        "HKQuantityTypeIdentifierDistanceWalkingRunning": WalkMeasure(
            rate: 1_000_000...1_600_000, unit: 1, digits: 9),
        // Calories, recorded as kilocalories.
        "HKQuantityTypeIdentifierActiveEnergyBurned": WalkMeasure(rate: 50...110, unit: 1, digits: 3),
    ]

    /// Converts an amount to the unit of the records, rounded to their number of digits.
    func total(_ amount: Int) -> Double {
        total(recorded: (amount + unit / 2) / unit)
    }

    /// Converts a sum of recorded values, counted in their last digit, to the unit of the records.
    func total(recorded values: Int) -> Double {
        Double(values) / Double(FixedPoint.powersOfTen[digits])
    }
}
