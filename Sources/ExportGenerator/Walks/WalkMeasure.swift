/// How the steps, the distance or the energy of a walk are measured and recorded.
///
/// Amounts are integers, in a unit so small that each second of a walk has a whole number of it.
struct WalkMeasure {
    /// The amounts that occur in a second.
    let rate: ClosedRange<Int>

    /// The amount that one in the last digit of a record's value stands for.
    let unit: Int

    /// How many digits a record's value has after the point.
    let digits: Int

    /// The measures, by the types of their records.
    static let byType: [String: WalkMeasure] = [
        // Thousandths of a step: 87 to 123 steps a minute, recorded as whole ones.
        "HKQuantityTypeIdentifierStepCount": WalkMeasure(rate: 1_450...2_050, unit: 1000, digits: 0),
        // Micrometres, recorded as kilometres.
        "HKQuantityTypeIdentifierDistanceWalkingRunning": WalkMeasure(
            rate: 1_000_000...1_600_000, unit: 1, digits: 9),
        // Calories, recorded as kilocalories.
        "HKQuantityTypeIdentifierActiveEnergyBurned": WalkMeasure(rate: 50...110, unit: 1, digits: 3),
    ]

    /// Converts an amount to the unit of the records, with as many digits as these have.
    func total(_ amount: Int) -> Double {
        total(recorded: (amount + unit / 2) / unit)
    }

    /// Converts a sum of recorded values, counted in their last digit, to the unit of the records.
    func total(recorded values: Int) -> Double {
        Double(values) / Double(FixedPoint.powersOfTen[digits])
    }
}
