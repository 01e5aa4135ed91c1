public import HealthModel
public import SampleBatches

/// The samples of an archive that somebody wants: of some types, from some days.
///
/// A sample is selected if its type is and its start lies between the two limits, both included. Days are those of the
/// times in the files: Apple's export writes all of them with one offset, that of the phone when it was made, and the
/// days of an archive are the days at that offset, on whatever computer and in whatever season. A sample that has only
/// a day, such as an activity summary, starts with that day; one that has neither comes only where there is no lower
/// limit. What is no sample (what the export says of itself and of the person, side files) is no part of a selection.
public struct SampleSelection: Sendable, Equatable {
    /// The types; nil for all.
    public var types: [SampleTypeName]?
    /// Types that are left out, whatever ``types`` says.
    public var excludedTypes: [SampleTypeName]
    /// No sample starts before; nil for no limit.
    public var since: TimeLimit?
    /// No sample starts after; nil for no limit.
    public var until: TimeLimit?
    /// No sample starts longer before the day of the export, counted in whole days; nil for no limit.
    public var last: CalendarPeriod?

    /// A selection.
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

    /// The selection, once it is known what archive it is about.
    ///
    /// - Parameters:
    ///   - held: The identifiers of the types that the archive holds.
    ///   - exportDate: When the export was made, nil where it does not say: days are then those of UTC, and ``last``
    ///     counts from the day of `newest`.
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

    /// An instant at the offset, or in UTC where it lies in no year that can be written with that.
    private static func limit(_ seconds: Int, _ offsetMinutes: Int) -> Timestamp {
        let isWritable = Timestamp.writable(offsetMinutes: offsetMinutes).contains(seconds)
        return Timestamp(seconds: seconds, offsetMinutes: isWritable ? offsetMinutes : 0)
    }

    /// The identifiers that names stand for, each once, sorted.
    private static func identifiers(
        _ names: [SampleTypeName], _ held: Set<ExactName>
    ) throws(VaultError) -> [String] {
        var identifiers: Set<ExactName> = []
        for name in names {
            guard let meant = name.identifiers(among: held) else {
                // Types that are known and groups have identifiers whatever the archive holds.
                guard case .other(let text) = name else { continue }
                throw VaultError(.unknownType(text))
            }
            identifiers.formUnion(meant.map { ExactName($0) })
        }
        return identifiers.sorted().map(\.text)
    }
}
