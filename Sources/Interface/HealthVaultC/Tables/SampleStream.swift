import ArchiveManifest
import ArchiveReading
import ByteSpans
import CivilTime
import HealthModel
import HealthStores
import SampleBatches

/// The samples of a query, read span by span.
final class SampleStream: TableSource {
    let schema: ArrowField
    private let archive: OpenedArchive
    private let table: SampleTable
    private var spans: ArraySlice<[StoredExport.Batch]>
    private var cursor = ChainCursor()

    init(_ archive: OpenedArchive, _ query: TableQuery) throws {
        self.archive = archive
        let selection = try SpanSelection(archive, query)
        table = SampleTable(
            columns: try SampleColumn.named(query.columns), isPlain: query.hasPlainTexts,
            range: selection.range, days: selection.days, needsContent: selection.needsContent)
        schema = table.schema
        spans =
            query.slice(of: selection.spans) { span in
                span.total { archive.export.contents.length(of: $0.key) }
            }[...]
    }

    func next() throws -> ArrowColumn? {
        while let span = spans.popFirst() {
            do {
                let parts = try span.map { try archive.export.samples(of: $0.key, &cursor) }
                if let rows = table.rows(of: parts) { return rows }
            } catch { throw VaultError.wrapping(error, path: archive.path) }
        }
        return nil
    }
}

/// The spans of an archive that may contain samples of a query.
struct SpanSelection {
    /// The batches of each span, type by type and from the oldest to the newest.
    let spans: [[StoredExport.Batch]]
    /// The starts of the samples, in seconds since 1970.
    let range: Range<Int>
    let days: Days
    let needsContent: Bool

    init(_ archive: OpenedArchive, _ query: TableQuery) throws {
        if query.range.isUnlimited {
            (range, days) = (.min ..< .max, .utc)
        } else {
            let contents = try archive.contents()
            (range, days) = (query.range.resolved(in: contents), contents.days)
        }
        var types = try query.types.map { try archive.types($0) }
        // An export stores heartbeats in the samples of heart rate variability.
        needsContent = types == [.heartbeatSeries]
        if needsContent { types = [.heartRateVariabilitySDNN] }
        let wanted = types.map { Set($0.map { ExactName($0.identifier) }) }
        let range = range
        var spans: [[StoredExport.Batch]] = []
        for group in archive.groups where wanted?.contains(group.identifier) ?? true {
            for batch in group.batches where batch.mayStart(in: range) {
                if let last = spans.last?.first, last.key.ofSpan == batch.key.ofSpan {
                    spans[spans.count - 1].append(batch)
                } else {
                    spans.append([batch])
                }
            }
        }
        self.spans = spans
    }
}
