import ByteText
import HealthArchive
import HealthFormats
import HealthModel
import SampleBatches
import SystemIO
import VaultContainer

/// The samples of a query, decoded ahead while the consumer works.
final class SampleStream: TableSource {
    let schema: ArrowField
    private let reading: WorkAhead<[[StoredPart]], [ArrowColumn]>
    private let path: BytePath
    private let archive: OpenedArchive
    private let table: SampleTable
    /// The types whose samples are members of correlations, and that are still to be read.
    private var members: [AnySampleType]

    /// The stored bytes of a batch.
    private struct StoredPart: Sendable {
        let batch: IndexedBatch
        let bytes: [UInt8]
    }

    /// Arrays that wait for the consumer: those of the spans that were read last.
    private var ready: ArraySlice<ArrowColumn> = []

    /// The number of rows from which on an array is large enough.
    private static let usualRows = 1 << 10...1 << 14
    /// The number of arrays that fewer rows are shared out to, so that there is work for several threads.
    private static let usualArrays = 16

    init(_ archive: OpenedArchive, _ query: TableQuery) throws {
        let selection = try SpanSelection(archive, query)
        let table = SampleTable(
            try SampleColumn.named(query.columns), isPlain: query.hasPlainTexts, selection)
        schema = table.schema
        path = archive.path
        members = selection.membersAlone.reversed()
        (self.archive, self.table) = (archive, table)
        let wanted = table.wanted
        let pieces =
            wanted == nil
            ? selection.spans.map { [$0] }
            : Self.gathered(selection.spans, isShared: query.threads != 0)
        var cursor = ChainCursor()
        reading = WorkAhead(count: pieces.count, threads: query.threads) { number in
            try pieces[number].map { span in
                try span.map { batch in
                    StoredPart(
                        batch: batch, bytes: try archive.chain.data(ofSingle: batch.entry, &cursor))
                }
            }
        } decode: { spans, bounds in
            try archive.decoders.with { decoder in
                if let wanted { return try Self.rows(of: spans, wanted, table, decoder, bounds) }
                return try spans.compactMap { parts in
                    table.rows(
                        of: try parts.map { try decoder.batch($0.bytes, of: $0.batch, within: bounds) })
                }
            }
        }
    }

    /// Returns spans in groups whose rows go into one array.
    ///
    /// - Parameter isShared: Whether there may be threads that share the work.
    private static func gathered(_ spans: [[IndexedBatch]], isShared: Bool) -> [[[IndexedBatch]]] {
        let total = spans.total { span in span.total(\.count) }
        let least =
            isShared
            ? min(max(total / usualArrays, usualRows.lowerBound), usualRows.upperBound)
            : usualRows.upperBound
        var pieces: [[[IndexedBatch]]] = []
        var rows = least
        for span in spans {
            if rows >= least {
                pieces.append([])
                rows = 0
            }
            pieces[pieces.count - 1].append(span)
            rows = LengthSum.of(rows, span.total(\.count))
        }
        return pieces
    }

    /// Returns the rows of spans of which columns are read, in one array if possible.
    private static func rows(
        of spans: [[StoredPart]], _ wanted: StoredColumns.Wanted, _ table: SampleTable,
        _ decoder: BatchDecoder, _ bounds: BatchDecoder.Bounds
    ) throws -> [ArrowColumn] {
        var rows: [ArrowColumn] = []
        var builder = table.builder(rows: spans.total { span in span.total(\.batch.count) })
        for part in spans.joined() {
            let isRead: Void? = try decoder.withColumns(wanted, part.bytes, of: part.batch, within: bounds) {
                builder.append($0)
            }
            guard isRead == nil else { continue }
            if let before = builder.finish() { rows.append(before) }
            let batch = try decoder.batch(part.bytes, of: part.batch, within: bounds)
            if let others = table.rows(of: [batch]) { rows.append(others) }
        }
        if let last = builder.finish() { rows.append(last) }
        return rows
    }

    /// Returns the members of correlations that are of a type.
    private func rows(ofMembers type: AnySampleType) throws -> [ArrowColumn] {
        let (store, table) = (try archive.store(), table)
        return try CallerExecutor.run {
            var rows: [ArrowColumn] = []
            for try await samples in store.spans(of: [type]) {
                if let found = table.rows(of: samples) { rows.append(found) }
            }
            return rows
        }
    }

    func next() throws -> ArrowColumn? {
        do {
            while true {
                if let rows = ready.popFirst() { return rows }
                if let more = try reading.next() {
                    ready = more[...]
                } else if let type = members.popLast() {
                    ready = try rows(ofMembers: type)[...]
                } else {
                    return nil
                }
            }
        } catch { throw VaultError.wrapping(error, path: path) }
    }
}
