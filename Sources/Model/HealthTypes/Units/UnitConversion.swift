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
    fileprivate let factor: Double
    fileprivate let divisor: Double
    fileprivate let before: Double
    fileprivate let after: Double

    /// Converts a value.
    public func callAsFunction(_ value: Double) -> Double {
        factor == divisor && before == after ? value : (value + before) * factor / divisor - after
    }
}
