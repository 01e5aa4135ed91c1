extension HealthUnit {
    /// What the unit measures.
    var dimension: UnitDimension {
        var dimension = UnitDimension.none
        for (atom, power) in powers { dimension.multiply(by: atom.dimension, power: power) }
        return dimension
    }

    /// How much of the coherent unit of its dimension one of it is.
    private var scale: Double {
        var (numerator, denominator) = (1.0, 1.0)
        // In the order of the text, so that the same unit always has the same rounding.
        for (atom, power) in powers.sorted(by: { $0.key.text < $1.key.text }) {
            for _ in 0..<power.magnitude {
                if power > 0 { numerator *= atom.scale } else { denominator *= atom.scale }
            }
        }
        return numerator / denominator
    }

    /// What is added to a value before it is scaled: 0 unless the unit is a temperature by itself.
    private var offset: Double {
        guard powers.count == 1, let (atom, power) = powers.first, power == 1 else { return 0 }
        return atom.symbol.offset
    }

    /// Returns whether values of one unit can be converted into the other.
    public func isCompatible(with other: HealthUnit) -> Bool { dimension == other.dimension }

    /// How values of this unit become values of another one; nil for units that measure something else.
    public func conversion(to other: HealthUnit) -> UnitConversion? {
        if self == other { return UnitConversion(factor: 1, divisor: 1, before: 0, after: 0) }
        guard dimension == other.dimension else { return nil }
        return UnitConversion(factor: scale, divisor: other.scale, before: offset, after: other.offset)
    }
}

/// How values of one unit become values of another one: found once, used for many values.
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
