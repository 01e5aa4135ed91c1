extension HealthUnit {
    /// Reads a unit in HealthKit's notation.
    ///
    /// Factors are joined by `·`, `*` or `.`. Everything after the only `/` is the divisor: `kcal/hr·kg` is
    /// `kcal/(hr·kg)`. A power is written `m^2`, a mole with a molar mass in grams `mol<180.15588>`.
    ///
    /// - Throws: ``HealthTypesError``.
    public init(_ text: String) throws(HealthTypesError) {
        var parser = UnitParser(text)
        guard let unit = parser.unit() else { throw HealthTypesError(.unknownUnit, text) }
        self = unit
    }
}

/// Reads a unit by recursive descent.
private struct UnitParser {
    private var rest: Substring
    private var depth = 0

    /// Deeper than any real unit; untrusted text must not exhaust the stack.
    private static let mostDepth = 16
    /// Larger powers are meaningless and would overflow.
    private static let mostPower = 99

    init(_ text: String) { rest = text[...] }

    /// Parses the whole text; nil if it is not a unit.
    mutating func unit() -> HealthUnit? {
        if isNull { return .null }
        guard var unit = product() else { return nil }
        if take("/") {
            guard let divisor = product() else { return nil }
            unit = unit / divisor
        }
        return rest.isEmpty ? unit : nil
    }

    /// Whether the text is empty or only nested empty parentheses.
    private var isNull: Bool {
        let half = rest.count / 2
        return rest.count % 2 == 0 && rest.count <= 2 * Self.mostDepth
            && rest == String(repeating: "(", count: half) + String(repeating: ")", count: half)
    }

    private mutating func product() -> HealthUnit? {
        guard var unit = power() else { return nil }
        while take("·") || take("*") || take(".") {
            guard let factor = power() else { return nil }
            unit = unit * factor
        }
        return unit
    }

    private mutating func power() -> HealthUnit? {
        guard let base = factor() else { return nil }
        guard take("^") else { return base }
        let sign = take("-") ? -1 : 1
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let power = Int(digits), power <= Self.mostPower else { return nil }
        rest = rest.dropFirst(digits.count)
        let unit = base.raised(to: sign * power)
        return unit.powers.values.allSatisfy { $0.magnitude <= Self.mostPower } ? unit : nil
    }

    private mutating func factor() -> HealthUnit? {
        guard take("(") else { return atom() }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.mostDepth, let unit = product(), take(")") else { return nil }
        return unit
    }

    private mutating func atom() -> HealthUnit? {
        let name = rest.prefix { !Self.marks.contains($0) }
        rest = rest.dropFirst(name.count)
        if name == "1" { return .null }
        if let symbol = UnitSymbol.bySpelling[String(name)] { return atom(symbol, nil) }
        for prefix in MetricPrefix.allCases where name.hasPrefix(prefix.rawValue) {
            let symbol = UnitSymbol.bySpelling[String(name.dropFirst(prefix.rawValue.count))]
            if let symbol, symbol.takesPrefix { return atom(symbol, prefix) }
        }
        return nil
    }

    private mutating func atom(_ symbol: UnitSymbol, _ prefix: MetricPrefix?) -> HealthUnit? {
        guard take("<") else { return HealthUnit(UnitAtom(symbol: symbol, prefix: prefix)) }
        let digits = rest.prefix { $0 != ">" }
        rest = rest.dropFirst(digits.count)
        guard take(">"), symbol.text == "mol", let mass = Double(digits), mass > 0, mass.isFinite else {
            return nil
        }
        return HealthUnit(UnitAtom(symbol: symbol, prefix: prefix, molarMass: mass))
    }

    private static let marks: Set<Character> = ["·", "*", ".", "/", "^", "(", ")", "<", ">"]

    private mutating func take(_ mark: Character) -> Bool {
        guard rest.first == mark else { return false }
        rest = rest.dropFirst()
        return true
    }
}
