/// A symbol with its prefix, and the molar mass of a mole of something: `kg`, `mmol<180.15588>`.
struct UnitAtom: Sendable, Hashable {
    let symbol: UnitSymbol
    var prefix: MetricPrefix?
    /// Grams per mole; then a mole is an amount of mass.
    var molarMass: Double?

    /// How HealthKit spells it.
    var text: String {
        let mass = molarMass.map { "<\($0)>" } ?? ""
        return (prefix?.rawValue ?? "") + symbol.text + mass
    }

    var dimension: UnitDimension { molarMass == nil ? symbol.dimension : .mass }

    /// How much of the coherent unit one of it is.
    var scale: Double { Self.scaled(symbol.scale * (molarMass ?? 1), by: prefix?.exponent ?? 0) }

    /// Divides by positive powers of ten, which have an exact value, rather than multiplying by negative ones.
    private static func scaled(_ value: Double, by exponent: Int) -> Double {
        var power = 1.0
        for _ in 0..<exponent.magnitude { power *= 10 }
        return exponent < 0 ? value / power : value * power
    }
}
