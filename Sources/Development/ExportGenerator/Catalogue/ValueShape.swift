/// The form of the values of a type or metadata key, prepared so that each value costs a single draw.
enum ValueShape {
    /// No value.
    case none

    /// A number in units of the last of `digits` digits after the point.
    case number(ClosedRange<Int>, digits: Int)

    /// One of several texts, already escaped.
    case escaped([[UInt8]])

    static func integer(_ range: ClosedRange<Int>) -> ValueShape {
        .number(range, digits: 0)
    }

    /// A number in a range of thousandths, with up to `digits` digits after the point.
    static func decimal(_ thousandths: ClosedRange<Int>, digits: Int) -> ValueShape {
        .number(FixedPoint.units(thousandths, digits: digits), digits: digits)
    }

    static func text(_ texts: [String]) -> ValueShape {
        .escaped(texts.map { Array(ByteText.escaped($0).utf8) })
    }

    /// The members of a category's enumeration.
    static func members(of enumeration: String, _ members: [String]) -> ValueShape {
        .text(members.map { "HKCategoryValue" + enumeration + $0 })
    }

    /// Reads a column of the catalogue: `-`, a range of whole numbers, a range of thousandths and the number of digits
    /// as in `900...24000/3`, or the name of an enumeration.
    init(column: String) {
        guard column != "-" else {
            self = .none
            return
        }
        guard column.first?.isNumber == true else {
            // One without members is a value itself, for categories that only state that something happened.
            self = .members(of: column, Self.enumerations[column] ?? [""])
            return
        }
        let parts = column.split(separator: "/").map(String.init)
        let range = RecordProfile.range(parts[0])
        self = parts.count == 1 ? .integer(range) : .decimal(range, digits: RecordProfile.number(parts[1]))
    }

    private static let enumerations = [
        "AppetiteChanges": ["Unspecified", "NoChange", "Decreased", "Increased"],
        "AppleStandHour": ["Stood", "Idle"],
        "CervicalMucusQuality": ["Dry", "Sticky", "Creamy", "Watery", "EggWhite"],
        "EnvironmentalAudioExposureEvent": ["MomentaryLimit"],
        "HeadphoneAudioExposureEvent": ["SevenDayLimit"],
        "MenstrualFlow": ["Unspecified", "Light", "Medium", "Heavy", "None"],
        "OvulationTestResult": ["Negative", "LuteinizingHormoneSurge", "Indeterminate", "EstrogenSurge"],
        "Presence": ["Present", "NotPresent"],
        "Severity": ["Unspecified", "NotPresent", "Mild", "Moderate", "Severe"],
    ]

    var isPresent: Bool {
        if case .none = self { false } else { true }
    }

    func append(_ chance: inout SplitMix64, to text: inout ByteText) {
        switch self {
        case .none: break
        case .number(let range, let digits):
            text.append(FixedPoint(units: chance.pick(from: range), digits: digits))
        case .escaped(let texts): text.append(chance.pick(from: texts))
        }
    }
}
