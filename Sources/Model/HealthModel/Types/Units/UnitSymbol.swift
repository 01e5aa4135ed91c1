/// A unit without a prefix that is not a product of others: `m`, `lb`, `degC`.
struct UnitSymbol: Sendable, Hashable {
    /// HealthKit's spelling.
    let text: String
    let dimension: UnitDimension
    /// The factor that converts to the coherent unit of its dimension (gram, metre, second, kelvin, ...).
    let scale: Double
    /// The offset added to a value before scaling, for temperatures that do not start at absolute zero.
    var offset = 0.0
    /// Whether it can have a metric prefix.
    var takesPrefix = false

    static func == (left: UnitSymbol, right: UnitSymbol) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// All of HealthKit's symbols, by spelling.
    ///
    /// Scales of units of mass, length, volume and energy are exact by definition; those of pressure are HealthKit's.
    static let bySpelling: [String: UnitSymbol] = {
        var symbols = Dictionary(uniqueKeysWithValues: (metric + others).map { ($0.text, $0) })
        symbols["l"] = symbols["L"]
        return symbols
    }()

    /// The coherent unit of mass is the gram, so joules and pascals have a scale of 1000.
    private static let metric = [
        symbol("g", .mass, 1), symbol("m", .length, 1), symbol("L", .volume, 0.001), symbol("s", .time, 1),
        symbol("Pa", .pressure, 1000), symbol("J", .energy, 1000), symbol("K", .temperature, 1),
        symbol("S", .conductance, 0.001), symbol("Hz", .frequency, 1), symbol("V", .voltage, 1000),
        symbol("W", .power, 1000), symbol("rad", UnitDimension([.angle: 1]), 1),
        symbol("lx", UnitDimension([.illuminance: 1]), 1), symbol("mol", UnitDimension([.amount: 1]), 1),
    ].map { symbol in
        var symbol = symbol
        symbol.takesPrefix = true
        return symbol
    }

    private static let others = [
        symbol("oz", .mass, 28.349523125), symbol("lb", .mass, 453.59237), symbol("st", .mass, 6350.29318),
        symbol("in", .length, 0.0254), symbol("ft", .length, 0.3048), symbol("yd", .length, 0.9144),
        symbol("mi", .length, 1609.344),
        symbol("fl_oz_us", .volume, 29.5735295625e-6), symbol("fl_oz_imp", .volume, 28.4130625e-6),
        symbol("cup_us", .volume, 236.5882365e-6), symbol("cup_imp", .volume, 284.130625e-6),
        symbol("pt_us", .volume, 473.176473e-6), symbol("pt_imp", .volume, 568.26125e-6),
        symbol("mmHg", .pressure, 133_322.387415), symbol("cmAq", .pressure, 98_066.5),
        symbol("inHg", .pressure, 3_386_388.16), symbol("atm", .pressure, 101_325_000),
        symbol("min", .time, 60), symbol("hr", .time, 3600), symbol("d", .time, 86400),
        symbol("cal", .energy, 4184), symbol("kcal", .energy, 4_184_000), symbol("Cal", .energy, 4_184_000),
        UnitSymbol(text: "degC", dimension: .temperature, scale: 1, offset: 273.15),
        UnitSymbol(text: "degF", dimension: .temperature, scale: 5.0 / 9.0, offset: 459.67),
        symbol("count", .none, 1), symbol("%", .none, 1),
        symbol("deg", UnitDimension([.angle: 1]), .pi / 180),
        symbol("dBASPL", UnitDimension([.soundPressureLevel: 1]), 1),
        symbol("dBHL", UnitDimension([.hearingLevel: 1]), 1),
        symbol("IU", UnitDimension([.internationalUnit: 1]), 1),
        symbol("D", UnitDimension([.opticalPower: 1]), 1), symbol("pD", UnitDimension([.prismPower: 1]), 1),
        symbol("appleEffortScore", UnitDimension([.effort: 1]), 1),
    ]

    private static func symbol(_ text: String, _ dimension: UnitDimension, _ scale: Double) -> UnitSymbol {
        UnitSymbol(text: text, dimension: dimension, scale: scale)
    }
}

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

/// A metric prefix of a unit, in HealthKit's spelling.
public enum MetricPrefix: String, Sendable, CaseIterable {
    /// 10⁻¹⁵.
    case femto = "f"
    /// 10⁻¹².
    case pico = "p"
    /// 10⁻⁹.
    case nano = "n"
    /// 10⁻⁶.
    case micro = "mc"
    /// 10⁻³.
    case milli = "m"
    /// 10⁻².
    case centi = "c"
    /// 10⁻¹.
    case deci = "d"
    /// 10.
    case deca = "da"
    /// 10².
    case hecto = "h"
    /// 10³.
    case kilo = "k"
    /// 10⁶.
    case mega = "M"
    /// 10⁹.
    case giga = "G"
    /// 10¹².
    case tera = "T"

    /// The factor as a power of ten.
    var exponent: Int {
        switch self {
        case .femto: -15
        case .pico: -12
        case .nano: -9
        case .micro: -6
        case .milli: -3
        case .centi: -2
        case .deci: -1
        case .deca: 1
        case .hecto: 2
        case .kilo: 3
        case .mega: 6
        case .giga: 9
        case .tera: 12
        }
    }
}
