extension HealthUnit {
    /// The unit's code in the Unified Code for Units of Measure (UCUM): `kcal/(kg.h)`, `mm[Hg]`.
    ///
    /// UCUM has no unit for a count: it is the annotation `{count}` alone, and nothing in a product. An amount of
    /// substance with a molar mass is written without the mass.
    ///
    /// - Returns: nil if UCUM does not have the unit.
    public var ucumCode: String? {
        var numerator: [(text: String, code: String)] = []
        var denominator: [(text: String, code: String)] = []
        for (atom, power) in powers where atom.symbol.text != "count" || powers.count == 1 {
            guard let code = atom.ucumCode else { return nil }
            let exponent = power.magnitude
            // An annotation has no dimension, so that its power means nothing.
            let factor = exponent == 1 || atom.symbol.isAnnotation ? code : "\(code)\(exponent)"
            if power > 0 {
                numerator.append((atom.text, factor))
            } else {
                denominator.append((atom.text, factor))
            }
        }
        func product(_ factors: [(text: String, code: String)]) -> String {
            factors.sorted { $0.text < $1.text }.map(\.code).joined(separator: ".")
        }
        guard !denominator.isEmpty else { return numerator.isEmpty ? "1" : product(numerator) }
        let divisor = product(denominator)
        return product(numerator) + "/" + (denominator.count == 1 ? divisor : "(\(divisor))")
    }
}

extension UnitAtom {
    fileprivate var ucumCode: String? {
        guard let code = symbol.ucumCode else { return nil }
        return (prefix == .micro ? "u" : prefix?.rawValue ?? "") + code
    }
}

extension UnitSymbol {
    /// Whether its code only says what is counted.
    fileprivate var isAnnotation: Bool { ucumCode?.hasPrefix("{") == true }

    /// The code in UCUM; nil if there is none.
    fileprivate var ucumCode: String? {
        if let code = Self.ucumCodes[text] { return code }
        return Self.withoutCode.contains(text) ? nil : text
    }

    /// The codes that differ from HealthKit's symbols.
    private static let ucumCodes = [
        "oz": "[oz_av]", "lb": "[lb_av]", "st": "[stone_av]", "in": "[in_i]", "ft": "[ft_i]", "yd": "[yd_i]",
        "mi": "[mi_i]", "fl_oz_us": "[foz_us]", "fl_oz_imp": "[foz_br]", "cup_us": "[cup_us]",
        "pt_us": "[pt_us]", "pt_imp": "[pt_br]", "mmHg": "mm[Hg]", "cmAq": "cm[H2O]", "inHg": "[in_i'Hg]",
        "hr": "h", "Cal": "[Cal]", "degC": "Cel", "degF": "[degF]", "count": "{count}", "dBASPL": "dB[SPL]",
        // UCUM has no reference level for hearing, so that the annotation only says what was meant.
        "dBHL": "dB{HL}", "IU": "[iU]", "D": "[diop]", "pD": "[p'diop]", "appleEffortScore": "{score}",
    ]

    private static let withoutCode: Set<String> = ["cup_imp"]
}
