import ArchiveManifest
import ArchiveReading
import HealthModel
import SampleBatches
import SystemIO
import VaultContainer

/// The samples of a query, decoded ahead while the consumer works.
final class SampleStream: TableSource {
    let schema: ArrowField
    private let reading: WorkAhead<[StoredPart], [ArrowColumn]>
    private let path: BytePath

    /// The stored bytes of a batch.
    private struct StoredPart: Sendable {
        let batch: IndexedBatch
        let bytes: [UInt8]
    }

    /// Arrays that wait for the consumer: those of the span that was read last.
    private var ready: ArraySlice<ArrowColumn> = []

    init(_ archive: OpenedArchive, _ query: TableQuery) throws {
        let selection = try SpanSelection(archive, query)
        let table = SampleTable(
            try SampleColumn.named(query.columns), isPlain: query.hasPlainTexts, selection)
        schema = table.schema
        path = archive.path
        let spans = selection.spans
        var cursor = ChainCursor()
        reading = WorkAhead(count: spans.count, threads: query.threads) { number in
            try spans[number].map { batch in
                let entry = batch.entry
                let bytes =
                    entry.isInBundle
                    ? try archive.chain.data(of: entry, &cursor) : try archive.chain.data(of: entry)
                return StoredPart(batch: batch, bytes: bytes)
            }
        } decode: { parts, bounds in
            try archive.decoders.with { decoder in
                if let wanted = table.wanted {
                    return try parts.compactMap { part in
                        let batch = part.batch
                        if let columns = try decoder.columns(wanted, part.bytes, of: batch, within: bounds) {
                            return table.rows(of: columns)
                        }
                        return table.rows(of: [try decoder.batch(part.bytes, of: batch, within: bounds)])
                    }
                }
                let batches = try parts.map { try decoder.batch($0.bytes, of: $0.batch, within: bounds) }
                return table.rows(of: batches).map { [$0] } ?? []
            }
        }
    }

    func next() throws -> ArrowColumn? {
        do {
            while true {
                if let rows = ready.popFirst() { return rows }
                guard let more = try reading.next() else { return nil }
                ready = more[...]
            }
        } catch { throw VaultError.wrapping(error, path: path) }
    }
}
