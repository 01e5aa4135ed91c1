/// What a unit measures, as powers of base quantities.
///
/// Two units can be converted into each other exactly when their dimensions are the same. A count and a percentage have
/// no dimension, as in HealthKit.
struct UnitDimension: Sendable, Hashable {
    /// What is not measured in terms of anything else.
    enum Base: Sendable, Hashable, CaseIterable {
        case mass, length, time, temperature, current, amount, angle, illuminance
        /// Levels of sound, each against a reference of its own.
        case soundPressureLevel, hearingLevel
        case internationalUnit, opticalPower, prismPower, effort
    }

    private(set) var powers: [Base: Int] = [:]

    init(_ powers: [Base: Int] = [:]) { self.powers = powers.filter { $0.value != 0 } }

    /// Multiplies by a power of another dimension.
    mutating func multiply(by other: UnitDimension, power: Int) {
        for (base, exponent) in other.powers {
            let sum = powers[base, default: 0] + exponent * power
            powers[base] = sum == 0 ? nil : sum
        }
    }

    static let none = UnitDimension()
    static let mass = UnitDimension([.mass: 1])
    static let length = UnitDimension([.length: 1])
    static let volume = UnitDimension([.length: 3])
    static let time = UnitDimension([.time: 1])
    static let temperature = UnitDimension([.temperature: 1])
    static let pressure = UnitDimension([.mass: 1, .length: -1, .time: -2])
    static let energy = UnitDimension([.mass: 1, .length: 2, .time: -2])
    static let power = UnitDimension([.mass: 1, .length: 2, .time: -3])
    static let frequency = UnitDimension([.time: -1])
    static let voltage = UnitDimension([.mass: 1, .length: 2, .time: -3, .current: -1])
    static let conductance = UnitDimension([.mass: -1, .length: -2, .time: 3, .current: 2])
}
