public import HealthModel
public import SampleBatches

/// A selection of samples of an archive: of some types, from some days.
///
/// A sample is selected if its type is selected and its start lies between the two limits, both included. Days are
/// those of the times in the files: Apple's export writes all of them with one offset, that of the phone when it was
/// made, and the days of an archive are the days at that offset, on any computer and in any season. A sample that has
/// only a day, such as an activity summary, starts with that day; one that has neither is selected only if there is no
/// lower limit. Anything that is not a sample (the export's data about itself and about the person, side files) is
/// never part of a selection.
public struct SampleSelection: Sendable, Equatable {
    /// The types; nil for all.
    public var types: [SampleTypeName]?
    /// The types that are excluded, whatever ``types`` contains.
    public var excludedTypes: [SampleTypeName]
    /// The time before which no sample starts; nil for no limit.
    public var since: TimeLimit?
    /// The time after which no sample starts; nil for no limit.
    public var until: TimeLimit?
    /// The period before the day of the export in which samples must start, in whole days; nil for no limit.
    public var last: CalendarPeriod?

    /// Makes a selection.
    public init(
        types: [SampleTypeName]? = nil, excluding excludedTypes: [SampleTypeName] = [],
        since: TimeLimit? = nil, until: TimeLimit? = nil, last: CalendarPeriod? = nil
    ) {
        self.types = types
        self.excludedTypes = excludedTypes
        self.since = since
        self.until = until
        self.last = last
    }

    /// Returns the selection, resolved for a particular archive.
    ///
    /// - Parameters:
    ///   - held: The identifiers of the types in the archive.
    ///   - exportDate: The time of the export; nil if the archive does not record it: days are then those of UTC, and
    ///     ``last`` counts from the day of `newest`.
    ///   - newest: The latest start in the archive.
    /// - Throws: `VaultError` for a name that no type has.
    func resolved(
        held: Set<ExactName>, exportDate: Timestamp?, newest: Timestamp?
    ) throws(VaultError) -> Manifest.Selection {
        let offset = exportDate?.offsetMinutes ?? 0
        var first = since?.firstSecond(offsetMinutes: offset)
        if let last, let end = exportDate ?? newest {
            let day = Timestamp(seconds: end.seconds, offsetMinutes: offset).day
            let start = TimeLimit.day(last.start(before: day)).firstSecond(offsetMinutes: offset)
            first = max(first ?? .min, start)
        }
        return Manifest.Selection(
            types: try types.map { names throws(VaultError) in try Self.identifiers(names, held) },
            excludedTypes: try Self.identifiers(excludedTypes, held),
            since: first.map { Self.limit($0, offset) },
            until: until.map { Self.limit($0.lastSecond(offsetMinutes: offset), offset) })
    }

    /// Returns an instant at the offset, or in UTC if its year cannot be written with that offset.
    private static func limit(_ seconds: Int, _ offsetMinutes: Int) -> Timestamp {
        let isWritable = Timestamp.writable(offsetMinutes: offsetMinutes).contains(seconds)
        return Timestamp(seconds: seconds, offsetMinutes: isWritable ? offsetMinutes : 0)
    }

    /// Returns the identifiers that names stand for, each once, sorted.
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
