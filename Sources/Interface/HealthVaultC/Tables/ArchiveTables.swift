import ByteText
import HealthArchive
import HealthModel
import HealthQueries
import SampleBatches
import SystemIO
import Tables
import VaultContainer

/// The tables of an archive whose rows are computed; all but statistics are small enough to be computed as a whole.
extension OpenedArchive {
    /// The types of samples with their counts and extents, read without decrypting any; the facts about the archive are
    /// the table's metadata.
    func typeTable() throws -> any TableSource {
        let contents = try contents()
        var facts = [
            ("path", path.description), ("zone", contents.days.zone),
            ("identifier", chain.links[0].reader.identifier), ("batches", String(index.batchCount)),
            ("archives", String(chain.links.count)),
        ]
        if let exported = contents.exportDate { facts.append(("exported", exported.iso)) }
        let columns: [TableColumn<TypeExtent>] = [
            TableColumn("type") { $0.type.identifier }, TableColumn("name") { $0.type.shortName },
            TableColumn("count") { $0.count }, TableColumn("first") { $0.first },
            TableColumn("last") { $0.last },
        ]
        return ComputedTable(columns, metadata: facts.map { (name: $0.0, value: $0.1) }) { [contents.types] }
    }

    /// The batches that may contain samples of a query, likewise.
    func batchTable(_ query: TableQuery) throws -> any TableSource {
        let spans = try SpanSelection(self, query).spans
        let columns: [TableColumn<IndexedBatch>] = [
            TableColumn("type") { AnySampleType.identifier(ofElement: $0.key.element, type: $0.key.type) },
            TableColumn("span") { $0.key.span }, TableColumn("part") { $0.key.part },
            TableColumn("count") { $0.count }, TableColumn("first") { $0.first },
            TableColumn("last") { $0.last }, TableColumn("bytes") { $0.entry.length },
        ]
        return ComputedTable(columns) { [spans.flatMap(\.self)] }
    }

    /// The statistics of the types of a query by intervals; of all quantities if it names none.
    func statisticsTable(_ query: TableQuery) throws -> any TableSource {
        let (types, store) = (try countable(query), try store())
        let columns = DailyTable.columns { name, text in
            query.hasPlainTexts
                ? TableColumn(name, text) : TableColumn(name) { text($0).map { RepeatedText(cellText: $0) } }
        }
        return ComputedTable(columns, of: types) { type in
            if let category = SampleType<CategorySample>(type.identifier) {
                let found = try CallerExecutor.run {
                    try await store.statistics(of: category, by: query.unit, in: query.range)
                }
                return [
                    found.intervals.map { interval in
                        (
                            type.identifier, nil, found.days.day(of: interval.start.seconds),
                            Statistics(interval)
                        )
                    }
                ]
            }
            guard let type = SampleType<QuantitySample>(type.identifier) else { return [] }
            let computed = try CallerExecutor.run {
                try await store.statistics(
                    StatisticsQuery(type, by: .calendar(query.unit), in: query.range))
            }
            let rows = DailyTable.rows(computed)
            return stride(from: 0, to: rows.count, by: Self.mostIntervals).map { start in
                Array(rows[start..<min(rows.count, start + Self.mostIntervals)])
            }
        }
    }

    /// The most intervals in an array.
    private static let mostIntervals = 1 << 14

    /// Returns the quantities and categories that a query names; all quantities if it names none.
    private func countable(_ query: TableQuery) throws -> [AnySampleType] {
        guard let names = query.types else {
            return index.identifiers.sorted().map { AnySampleType($0.text) }.filter { $0.kind == .quantity }
        }
        return try types(names).map { type in
            guard type.kind == .quantity || type.kind == .category && type != .sleepAnalysis else {
                throw CallerError(
                    "\(type.shortName) is neither a quantity nor a category, so it has no statistics",
                    hint: "samples, sleep and workouts are tables of their own")
            }
            return type
        }
    }

    /// The nights that end in the time of a query, with the time in each stage of sleep.
    func sleepTable(_ query: TableQuery) throws -> any TableSource {
        let store = try store()
        let time = LocalTime(days: try contents().days)
        return ComputedTable(SleepTable.columns(time, hasGaps: true)) {
            let found = try CallerExecutor.run { try await store.sleepTimes(in: query.range).sessions }
            return [found.filter { $0.timeAsleep > 0 }]
        }
    }

    /// The workouts that start in the time of a query.
    func workoutTable(_ query: TableQuery) throws -> any TableSource {
        let store = try store()
        return ComputedTable(WorkoutTable.columns()) {
            [try CallerExecutor.run { try await store.samples(.workout, in: query.range).all() }]
        }
    }

    /// The electrocardiograms that were recorded in the time of a query, with their voltages.
    func electrocardiogramTable(_ query: TableQuery) throws -> any TableSource {
        let store = try store()
        return ComputedTable(ElectrocardiogramTable.columns(LocalTime(days: .utc))) {
            let (all, contents) = try CallerExecutor.run {
                (try await store.electrocardiograms().recordings, try await store.contents())
            }
            let range = query.range.resolved(in: contents)
            return all.enumerated().filter {
                $0.element.recordedDate.map { range.contains($0.seconds) } ?? query.range.isUnlimited
            }.map { [$0] }
        }
    }
}
