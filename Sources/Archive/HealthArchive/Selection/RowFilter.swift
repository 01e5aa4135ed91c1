package import ByteText
import HealthModel
package import SampleBatches

/// A filter for the rows of an archive that are in a selection.
package struct RowFilter: Sendable {
    private let query: BatchQuery
    /// The rule for the days of samples that have no time.
    private let days: Days
    /// The maximum difference between midnight in any zone and midnight in UTC, in seconds.
    private static let farthestMidnight = 86400

    package init(_ selection: Manifest.Selection, _ days: Days) {
        query = BatchQuery(
            types: selection.types.map { $0.map { AnySampleType($0) } },
            excluding: selection.excludedTypes.map { AnySampleType($0) }, from: selection.since,
            // Times are whole seconds, so this is the first one that is too late.
            to: selection.until.map {
                Timestamp(seconds: $0.seconds + 1, offsetMinutes: $0.offsetMinutes)
            })
        self.days = days
    }

    func covers(element: String, type: String) -> Bool { query.covers(element: element, type: type) }

    /// Returns whether an electrocardiogram, which is a file beside the samples, is in the selection.
    package func coversElectrocardiogram(from start: Timestamp?) -> Bool {
        query.covers(element: "Record", type: AnySampleType.electrocardiogram.identifier)
            && query.covers(start: start)
    }

    /// Returns whether rows that start between two instants may be selected; true if the instants are unknown.
    func mayCover(element: String, first: Timestamp?, last: Timestamp?) -> Bool {
        guard let first, let last else { return true }
        // Rows that have only a day start at midnight, for which the list of entries uses UTC.
        let slack = element == "ActivitySummary" ? Self.farthestMidnight : 0
        return (query.end.map { first.seconds - slack < $0.seconds } ?? true)
            && (query.start.map { last.seconds + slack >= $0.seconds } ?? true)
    }

    /// Returns the selected rows of a batch.
    package func rows(of batch: SampleBatch) -> SampleBatch {
        guard covers(element: batch.key.element, type: batch.key.type) else {
            return SampleBatch(key: batch.key)
        }
        if query.start == nil, query.end == nil { return batch }
        var builder = SampleBatchBuilder(rowsOf: batch)
        // The builder's numbers; -1 until they are requested.
        var contexts = [Int](repeating: -1, count: batch.contexts.count)
        // 0 means no content in both.
        var contents = [0] + [Int](repeating: -1, count: batch.contents.count)
        let startsOnDay = batch.contexts.map(\.startsOnDay)
        batch.forEachBatchRow { row in
            let (context, content) = (row.head.context, row.head.content)
            let start = startsOnDay[context] ? midnight(row.start) : row.start
            guard query.covers(start: start) else { return }
            if contexts[context] < 0 { contexts[context] = builder.number(of: batch.contexts[context]) }
            if contents[content] < 0 {
                contents[content] = builder.number(ofContent: batch.contents[content - 1])
            }
            let head = RowHead(
                context: contexts[context], content: contents[content], position: row.head.position)
            builder.append(head, row)
        }
        return builder.batch
    }

    /// Returns the midnight at which the day of a sample without a time starts.
    private func midnight(_ start: Timestamp?) -> Timestamp? {
        start.map { days.timestamp(days.start(of: $0.day)) }
    }
}
