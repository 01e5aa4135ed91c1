import ByteText
public import HealthModel
import SampleBatches

/// A selection of samples of an archive: of some types, from some days.
///
/// A sample is selected if its type is selected and its start is in the time range. Days are those in the zone of the
/// export, on any computer and in any season. A sample that has only a day, such as an activity summary, belongs to the
/// day that it names; one that has neither a time nor a day is selected only if there is no lower limit. Anything that
/// is not a sample (the export's data about itself and about the person, side files) is never part of a selection.
public struct SampleSelection: Sendable, Equatable {
    /// The types; nil for all.
    public var types: [SampleTypeName]?
    /// The types that are excluded, whatever ``types`` contains.
    public var excludedTypes: [SampleTypeName]
    /// The time range.
    public var range: QueryTimeRange

    /// Makes a selection.
    public init(
        types: [SampleTypeName]? = nil, excluding excludedTypes: [SampleTypeName] = [],
        in range: QueryTimeRange = .ever
    ) {
        self.types = types
        self.excludedTypes = excludedTypes
        self.range = range
    }

    /// Returns the selection, resolved for a particular archive.
    ///
    /// - Parameters:
    ///   - held: The identifiers of the types in the archive.
    ///   - days: The rule for days.
    ///   - now: The time of the export or, if the archive does not record it, the latest start.
    /// - Throws: `VaultError` if a name is not that of a type.
    func resolved(
        held: Set<ExactName>, days: Days, now: Timestamp?
    ) throws(VaultError) -> Manifest.Selection {
        let range = range.resolved(days, now: now?.seconds ?? 0)
        return Manifest.Selection(
            types: try types.map { names throws(VaultError) in try Self.identifiers(names, held) },
            excludedTypes: try Self.identifiers(excludedTypes, held),
            since: range.lowerBound == .min ? nil : Self.limit(range.lowerBound, days),
            until: range.upperBound == .max ? nil : Self.limit(range.upperBound - 1, days))
    }

    /// Returns an instant with the offset of its day, or in UTC if its year cannot be written with that offset.
    private static func limit(_ seconds: Int, _ days: Days) -> Timestamp {
        let local = days.timestamp(seconds)
        let isWritable = Timestamp.writable(offsetMinutes: local.offsetMinutes).contains(seconds)
        return isWritable ? local : Timestamp(seconds: seconds, offsetMinutes: 0)
    }

    /// Returns the identifiers that names stand for, sorted and without duplicates.
    private static func identifiers(
        _ names: [SampleTypeName], _ held: Set<ExactName>
    ) throws(VaultError) -> [String] {
        var identifiers: Set<ExactName> = []
        for name in names {
            guard let meant = name.identifiers(among: held) else {
                // Known types and groups have identifiers whatever the archive contains.
                guard case .other(let text) = name else { continue }
                throw VaultError(.unknownType(text))
            }
            identifiers.formUnion(meant.map { ExactName($0) })
        }
        return identifiers.sorted().map(\.text)
    }
}
