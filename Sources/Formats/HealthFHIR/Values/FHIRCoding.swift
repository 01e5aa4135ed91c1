public import HealthModel

/// A code and the system that defines it.
public struct FHIRCoding: Sendable, Hashable {
    /// The URI of the system.
    public let system: String
    /// The code.
    public let code: String
    /// The name of what it stands for; nil if there is none.
    public let display: String?

    /// Creates a coding.
    public init(system: String, code: String, display: String? = nil) {
        self.system = system
        self.code = code
        self.display = display
    }

    /// The system of LOINC.
    public static let loincSystem = "http://loinc.org"
    /// The system of HealthKit's identifiers.
    public static let appleSystem = "http://developer.apple.com/documentation/healthkit"
    static let ucumSystem = "http://unitsofmeasure.org"
    static let categorySystem = "http://terminology.hl7.org/CodeSystem/observation-category"
    static let deviceCodeSystem = "urn:iso:std:iso:11073:10101"

    /// Creates a coding of LOINC.
    static func loinc(_ code: String, _ display: String) -> FHIRCoding {
        FHIRCoding(system: loincSystem, code: code, display: display)
    }

    /// Creates a coding of HealthKit.
    static func apple(_ code: String, _ display: String) -> FHIRCoding {
        FHIRCoding(system: appleSystem, code: code, display: display)
    }

    /// Whether a code is in the form of LOINC's codes for observations: digits, and a check digit by Luhn's algorithm.
    ///
    /// Codes of parts (`LP...`), answers (`LA...`) and groups (`LG...`) are others.
    static func isLOINC(_ code: String) -> Bool {
        let digits = code.utf8.map { Int($0) - 0x30 }
        guard digits.count >= 3, digits.count <= 9, digits[digits.count - 2] == Int(UInt8(ascii: "-")) - 0x30
        else { return false }
        let number = digits.dropLast(2)
        guard (number + [digits[digits.count - 1]]).allSatisfy((0...9).contains) else { return false }
        var sum = 0
        for (place, digit) in number.reversed().enumerated() {
            let doubled = place.isMultiple(of: 2) ? digit * 2 : digit
            sum += doubled > 9 ? doubled - 9 : doubled
        }
        return (10 - sum % 10) % 10 == digits[digits.count - 1]
    }
}

/// A unit that values are converted to.
public struct FHIRUnit: Sendable, Equatable {
    /// The unit in HealthKit's notation.
    public let unit: HealthUnit
    /// Its UCUM code; nil if it has none.
    public let code: String?
    /// Its name for people.
    public let name: String

    /// Creates a unit.
    ///
    /// - Parameters:
    ///   - unit: The unit.
    ///   - code: Its UCUM code; if nil, the one that UCUM has for it.
    ///   - name: Its name; if nil, the code.
    public init(_ unit: HealthUnit, code: String? = nil, name: String? = nil) {
        self.unit = unit
        self.code = code ?? unit.ucumCode
        self.name = name ?? Self.names[unit.description] ?? self.code ?? unit.description
    }

    /// HealthKit's percent is a fraction: 0.97 is 97 %.
    var isPercent: Bool { unit == .percent }

    private static let names = [
        "count": "count", "degC": "°C", "degF": "°F", "mmHg": "mmHg", "hr": "hr", "lb": "lb", "IU": "IU",
        "mi": "mi", "ft": "ft", "in": "in", "yd": "yd", "dBASPL": "dBA SPL", "dBHL": "dB HL",
        "appleEffortScore": "score",
    ]
}
