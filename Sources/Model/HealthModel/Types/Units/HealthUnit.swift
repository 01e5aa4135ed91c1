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

    /// The unit for people: ``description`` without molar masses, `mmol/L`.
    package var shownText: String { Self.shownText(of: description) }

    /// Returns the text of a unit for people: without molar masses, which are in angle brackets.
    package static func shownText(of text: String) -> String {
        var shown = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            shown += rest[..<start]
            rest = rest[end...].dropFirst()
        }
        return shown + rest
    }

    private static func text(_ powers: [UnitAtom: Int]) -> String {
        powers.map { atom, power in (atom.text, power.magnitude) }
            .sorted { $0 < $1 }
            .map { text, power in power == 1 ? text : "\(text)^\(power)" }
            .joined(separator: "·")
    }
}

extension HealthUnit {
    /// What the unit measures.
    var dimension: UnitDimension {
        var dimension = UnitDimension.none
        for (atom, power) in powers { dimension.multiply(by: atom.dimension, power: power) }
        return dimension
    }

    /// The factor that converts to the coherent unit of the dimension.
    private var scale: Double {
        var (numerator, denominator) = (1.0, 1.0)
        // Sorted by text, so that the same unit is always rounded in the same way.
        for (atom, power) in powers.sorted(by: { $0.key.text < $1.key.text }) {
            for _ in 0..<power.magnitude {
                if power > 0 { numerator *= atom.scale } else { denominator *= atom.scale }
            }
        }
        return numerator / denominator
    }

    /// The offset added to a value before scaling: 0 unless the unit is a single temperature.
    private var offset: Double {
        guard powers.count == 1, let (atom, power) = powers.first, power == 1 else { return 0 }
        return atom.symbol.offset
    }

    /// Returns whether values of one unit can be converted into the other.
    public func isCompatible(with other: HealthUnit) -> Bool { dimension == other.dimension }

    /// Returns the conversion to another unit; nil if that unit measures something else.
    public func conversion(to other: HealthUnit) -> UnitConversion? {
        if self == other { return UnitConversion(factor: 1, divisor: 1, before: 0, after: 0) }
        guard dimension == other.dimension else { return nil }
        return UnitConversion(factor: scale, divisor: other.scale, before: offset, after: other.offset)
    }
}

/// A conversion from one unit to another, looked up once for many values.
public struct UnitConversion: Sendable, Equatable {
    @usableFromInline let factor: Double
    @usableFromInline let divisor: Double
    @usableFromInline let before: Double
    @usableFromInline let after: Double

    /// Converts a value.
    @inlinable
    public func callAsFunction(_ value: Double) -> Double {
        factor == divisor && before == after ? value : (value + before) * factor / divisor - after
    }
}
