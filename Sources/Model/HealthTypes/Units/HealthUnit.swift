/// A unit of measurement in HealthKit's notation: `count/min`, `mg/dL`, `kcal/hr·kg`.
///
/// Units multiply and divide:
///
/// ```swift
/// let speed = HealthUnit.meter(.kilo) / .hour
/// let heartRate = try HealthUnit("count/min")
/// ```
///
/// Two units are equal if they are the same powers of the same units, however they are written: `m/s^2` and `m·s^-2`.
/// Units of the same dimension are compatible, and values can be converted between them.
public struct HealthUnit: Sendable, Hashable {
    /// The product of its factors.
    private var product = Powers<UnitAtom>()

    /// The unit of plain numbers, written as an empty string.
    public static let null = HealthUnit()

    private init() {}

    init(_ atom: UnitAtom) { product = Powers(atom) }

    /// The exponents of its factors, none of them 0.
    var powers: [UnitAtom: Int] { product.exponents }

    /// Returns the product of two units.
    public static func * (left: HealthUnit, right: HealthUnit) -> HealthUnit {
        left.multiplied(by: right, power: 1)
    }

    /// Returns the quotient of two units.
    public static func / (left: HealthUnit, right: HealthUnit) -> HealthUnit {
        left.multiplied(by: right, power: -1)
    }

    /// Returns a power of the unit; the null unit for 0.
    public func raised(to power: Int) -> HealthUnit { HealthUnit.null.multiplied(by: self, power: power) }

    /// One divided by the unit.
    public var reciprocal: HealthUnit { raised(to: -1) }

    private func multiplied(by other: HealthUnit, power: Int) -> HealthUnit {
        var unit = self
        unit.product.multiply(by: other.product, power: power)
        return unit
    }

    /// Whether this is the unit of plain numbers.
    public var isNull: Bool { powers.isEmpty }
}

extension HealthUnit: CustomStringConvertible {
    /// The unit in HealthKit's notation, with the factors sorted by symbol: `kcal/hr·kg`; empty for ``null``.
    public var description: String {
        let numerator = Self.text(powers.filter { $0.value > 0 })
        let denominator = Self.text(powers.filter { $0.value < 0 })
        guard !denominator.isEmpty else { return numerator }
        return "\(numerator.isEmpty ? "1" : numerator)/\(denominator)"
    }

    private static func text(_ powers: [UnitAtom: Int]) -> String {
        powers.map { atom, power in (atom.text, power.magnitude) }
            .sorted { $0 < $1 }
            .map { text, power in power == 1 ? text : "\(text)^\(power)" }
            .joined(separator: "·")
    }
}
