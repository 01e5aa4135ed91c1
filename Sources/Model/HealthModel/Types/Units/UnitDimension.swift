/// What a unit measures, as powers of base quantities.
///
/// Two units are convertible if and only if their dimensions are the same. A count and a percentage have no dimension,
/// as in HealthKit.
typealias UnitDimension = Powers<BaseQuantity>

/// A quantity that is not measured in terms of any other.
enum BaseQuantity: Sendable, Hashable {
    case mass, length, time, temperature, current, amount, angle, illuminance
    /// Sound levels, each relative to its own reference.
    case soundPressureLevel, hearingLevel
    case internationalUnit, opticalPower, prismPower, effort
}

extension UnitDimension {
    static var none: Self { Self() }
    static var mass: Self { Self([.mass: 1]) }
    static var length: Self { Self([.length: 1]) }
    static var volume: Self { Self([.length: 3]) }
    static var time: Self { Self([.time: 1]) }
    static var temperature: Self { Self([.temperature: 1]) }
    static var pressure: Self { Self([.mass: 1, .length: -1, .time: -2]) }
    static var energy: Self { Self([.mass: 1, .length: 2, .time: -2]) }
    static var power: Self { Self([.mass: 1, .length: 2, .time: -3]) }
    static var frequency: Self { Self([.time: -1]) }
    static var voltage: Self { Self([.mass: 1, .length: 2, .time: -3, .current: -1]) }
    static var conductance: Self { Self([.mass: -1, .length: -2, .time: 3, .current: 2]) }
}

/// A product of powers with non-zero exponents, of units or of base quantities.
struct Powers<Base: Hashable & Sendable>: Sendable, Hashable {
    private(set) var exponents: [Base: Int] = [:]

    init() {}

    init(_ base: Base) { exponents = [base: 1] }

    init(_ exponents: [Base: Int]) { self.exponents = exponents.filter { $0.value != 0 } }

    /// Multiplies by a power of another product.
    mutating func multiply(by other: Powers, power: Int) {
        for (base, exponent) in other.exponents {
            let sum = exponents[base, default: 0] + exponent * power
            exponents[base] = sum == 0 ? nil : sum
        }
    }
}
