/// A symbol with its prefix and, for moles, an optional molar mass: `kg`, `mmol<180.15588>`.
struct UnitAtom: Sendable, Hashable {
    let symbol: UnitSymbol
    var prefix: MetricPrefix?
    /// Grams per mole; if set, the unit measures mass.
    var molarMass: Double?

    /// HealthKit's spelling.
    var text: String {
        let mass = molarMass.map { "<\($0)>" } ?? ""
        return (prefix?.rawValue ?? "") + symbol.text + mass
    }

    var dimension: UnitDimension { molarMass == nil ? symbol.dimension : .mass }

    /// The factor that converts to the coherent unit.
    var scale: Double { Self.scaled(symbol.scale * (molarMass ?? 1), by: prefix?.exponent ?? 0) }

    /// Divides by positive powers of ten, which are exact, rather than multiplying by negative ones.
    private static func scaled(_ value: Double, by exponent: Int) -> Double {
        var power = 1.0
        for _ in 0..<exponent.magnitude { power *= 10 }
        return exponent < 0 ? value / power : value * power
    }
}
