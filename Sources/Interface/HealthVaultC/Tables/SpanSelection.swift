import ByteText
import HealthArchive
import HealthModel
import SampleBatches
import SystemIO
import VaultContainer

/// The spans of an archive that may contain samples of a query.
struct SpanSelection: Sendable {
    /// The batches of each span, type by type and from the earliest to the latest.
    let spans: [[IndexedBatch]]
    /// The types that are asked for, and that may be in the archive only inside correlations.
    let membersAlone: [AnySampleType]
    /// The starts of the samples, in seconds since 1970.
    let range: Range<Int>
    /// The rule for days, by which samples that have only a day are placed.
    let days: Days
    /// Whether to include only samples with nested elements, such as those with heartbeats.
    let needsContent: Bool

    init(_ archive: OpenedArchive, _ query: TableQuery) throws {
        var types = try query.types.map { try archive.types($0) }
        // An export stores heartbeats in the samples of heart rate variability.
        needsContent = types == [.heartbeatSeries]
        if let names = query.types, names.count > 1, names.contains(.type(.heartbeatSeries)) {
            throw CallerError(
                "heartbeatSeries is a table of its own",
                hint: "ask for it without other types")
        }
        if needsContent { types = [.heartRateVariabilitySDNN] }
        let held = Set(archive.index.identifiers.map { AnySampleType($0.text) })
        // The first of several slices has them.
        membersAlone =
            query.slice.number > 0
            ? [] : (types ?? []).filter(AnySampleType.insideCorrelations(ofTypes: held).contains)
        let identifiers = types.map { Set($0.map { ExactName($0.identifier) }) } ?? archive.index.identifiers
        if query.range.isUnlimited {
            (range, days) = (.min ..< .max, .utc)
        } else {
            let contents = try archive.contents()
            (range, days) = (query.range.resolved(in: contents), contents.days)
        }
        let range = range
        let spans = identifiers.sorted().flatMap { archive.index.spans(of: $0) }
            .filter { span in span.contains { $0.mayStart(in: range) } }
        self.spans = query.slice(of: spans) { span in span.total(\.entry.length) }
    }
}
