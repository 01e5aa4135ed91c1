import ByteText
import HealthModel
import SampleBatches
import SystemIO

/// What the nested content of rows adds to their resources.
struct RecordContent: Sendable {
    /// The members after the value, each with a comma before it: the extensions.
    let members: [UInt8]
    /// The components, separated by commas.
    let components: [UInt8]
    /// The zone in which the sample was recorded.
    let zone: ZoneRules?
    /// The number of nested elements that have no place in a resource.
    private(set) var otherCount: Int

    init(_ json: [UInt8], of type: AnySampleType, _ mapper: FHIRMapper, _ zones: inout RecordedZoneRules) {
        let children = try? ContentReader.children(of: json)
        self.init(Metadata(content: children ?? []), children ?? [], of: type, mapper, &zones)
        if children == nil { otherCount = 1 }
    }

    /// Describes the content of a sample with its metadata, wherever the metadata is.
    init(
        _ metadata: Metadata, _ children: [ElementNode.Child], of type: AnySampleType, _ mapper: FHIRMapper,
        _ zones: inout RecordedZoneRules
    ) {
        members = MetadataExtensions.member(metadata.entries)
        components = MetadataComponents.list(metadata, of: type, mapper)
        zone = metadata.timeZone.flatMap { zones.rules(of: $0) }
        otherCount = children.count - children.elements("MetadataEntry").count
    }
}

/// The rules of the zones that samples name.
struct RecordedZoneRules: Sendable {
    private var known: [String: ZoneRules?] = [:]

    /// Returns the rules of a zone; nil if this computer does not know it.
    mutating func rules(of name: String) -> ZoneRules? {
        if let rules = known[name] { return rules }
        guard known.count < Self.most, RecordedZones.isZoneName(name) else { return nil }
        let rules = (try? ZoneFiles.bytes(ofZone: name)).flatMap { $0 }.flatMap { ZoneRules(tzif: $0.span) }
        known[name] = .some(rules)
        return rules
    }

    /// More zones than there are.
    private static let most = 1000
}

extension ZoneRules {
    /// Returns the offset at an instant in minutes; nil if it is not a number of minutes that a time can have.
    func offsetMinutes(at seconds: Int) -> Int? {
        let offset = offset(at: seconds)
        return offset.isMultiple(of: 60) && offset.magnitude <= 14 * 3600 ? offset / 60 : nil
    }
}

/// Metadata that says something about the person, as components.
enum MetadataComponents: Sendable {
    /// Returns the components, separated by commas.
    static func list(_ metadata: Metadata, of type: AnySampleType, _ mapper: FHIRMapper) -> [UInt8] {
        guard !metadata.entries.isEmpty else { return [] }
        var writer = JSONWriter()
        writer.array { writer in
            for entry in metadata.entries {
                if let quantity = quantities[entry.key] {
                    write(entry, as: quantity, mapper, &writer)
                } else if let title = flags[entry.key], let flag = metadata.flag(entry.key) {
                    writer.object { writer in
                        writer.concept("code", [.apple(entry.key, title)])
                        writer.member("valueBoolean", flag)
                    }
                }
            }
        }
        return Array(writer.bytes.dropFirst().dropLast())
    }

    private static func write(
        _ entry: Metadata.Entry, as type: AnySampleType, _ mapper: FHIRMapper, _ writer: inout JSONWriter
    ) {
        let mapping = mapper.mapping[type]
        guard let stated = Quantity(parsing: entry.value),
            let quantity = ObservedQuantity(stated, in: mapping.unit)
        else { return }
        writer.object { writer in
            writer.concept("code", mapper.mapping.codings(of: type), text: titles[entry.key])
            writer.quantity("valueQuantity", quantity)
        }
    }

    /// The keys whose values are quantities of a type.
    private static let quantities: [String: AnySampleType] = [
        "HKHeartRateEventThreshold": .heartRate, "HKLowCardioFitnessEventThreshold": .vo2Max,
        "HKVO2MaxValue": .vo2Max,
    ]
    private static let titles = [
        "HKHeartRateEventThreshold": "threshold", "HKLowCardioFitnessEventThreshold": "threshold",
        "HKVO2MaxValue": "value",
    ]
    private static let flags = [
        "HKMenstrualCycleStart": "Menstrual Cycle Start",
        "HKSexualActivityProtectionUsed": "Sexual Activity: Protection Used",
    ]
}
