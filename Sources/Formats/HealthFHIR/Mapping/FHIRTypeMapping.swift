public import HealthModel

/// How the samples of one type become resources.
public struct FHIRTypeMapping: Sendable, Equatable {
    /// The codings of the type, most specific first; HealthKit's is always added as the last one.
    public var codings: [FHIRCoding]
    /// The unit that values are converted to; nil for types without one.
    public var unit: FHIRUnit?
    /// The codes of the categories in HL7's system: `vital-signs`, `activity`, ...
    public var categories: [String]
    /// The profile that the resources conform to; nil for none.
    public var profile: String?

    /// Creates a mapping.
    public init(
        codings: [FHIRCoding] = [], unit: FHIRUnit? = nil, categories: [String] = [], profile: String? = nil
    ) {
        self.codings = codings
        self.unit = unit
        self.categories = categories
        self.profile = profile
    }

    /// The first LOINC code; nil if there is none.
    public var loincCode: String? { codings.first { $0.system == FHIRCoding.loincSystem }?.code }
}

/// How samples become resources, by type.
///
/// Codes and units are those of HealthKitOnFHIR (MIT), corrected; LOINC codes are Regenstrief's.
public struct FHIRMapping: Sendable {
    private var overrides: [AnySampleType: FHIRTypeMapping] = [:]

    /// The mapping that the program comes with.
    public static let standard = FHIRMapping()

    /// The mapping of a type; setting it replaces that of the program.
    ///
    /// A type that the program does not know has only HealthKit's coding, and values keep their unit.
    public subscript(_ type: AnySampleType) -> FHIRTypeMapping {
        get { overrides[type] ?? Self.standard(type) }
        set { overrides[type] = newValue }
    }

    private static let known: [AnySampleType: FHIRTypeMapping] = Dictionary(
        uniqueKeysWithValues: AnySampleType.known.map { ($0, made($0)) })

    private static func standard(_ type: AnySampleType) -> FHIRTypeMapping { known[type] ?? made(type) }

    private static func made(_ type: AnySampleType) -> FHIRTypeMapping {
        let name = type.shortName
        let codes = FHIRCodes.byType[name]
        var mapping = FHIRTypeMapping(
            codings: codes?.codings ?? [], profile: codes?.profile.map { FHIRCodes.profiles + $0 })
        if type.kind == .quantity, type.isKnown {
            mapping.unit = FHIRCodes.unit(of: name) ?? type.canonicalUnit.map { FHIRUnit($0) }
        }
        if let category = codes?.category {
            mapping.categories = [category]
        } else if FHIRCodes.activityTypes.contains(type) {
            mapping.categories = ["activity"]
        }
        return mapping
    }

    /// The codings of a type: those of its mapping, and HealthKit's.
    func codings(of type: AnySampleType) -> [FHIRCoding] {
        self[type].codings + [.apple(type.identifier, type.title)]
    }
}
