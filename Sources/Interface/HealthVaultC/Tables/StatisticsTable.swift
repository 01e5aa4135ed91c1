import ArchiveReading
import CivilTime
import CommandLineKit
import CommandOutput
import HealthModel
import HealthQueries
import HealthStores
import SampleBatches
import SystemIO

/// Statistics of quantities by intervals.
enum StatisticsTable: Sendable {
    /// The statistics of the types of a query; of all quantities if it names none.
    static func table(_ archive: OpenedArchive, _ query: TableQuery) throws -> any TableSource {
        let types = try quantities(archive, query)
        let columns: [ArrowField] = [
            .repeatedText("type", isPlain: query.hasPlainTexts), .time("start"), .time("end"), .day("day"),
            .repeatedText("unit", isPlain: query.hasPlainTexts), .integer("count"), .double("sum"),
            .double("average"), .double("minimum"), .double("maximum"), .flag("partial"),
        ]
        let store = try archive.store()
        // A table for each type, so that only one of them is in memory.
        return TypeByType(.table(columns), types) { type in
            let result = try CallerExecutor.run {
                try await store.statistics(
                    StatisticsQuery(type, by: .calendar(query.unit), in: query.range))
            }
            // In the units of the source, as the command prints them.
            return Self.rows(of: UnitChoice.source.applied(to: result), isPlain: query.hasPlainTexts)
        }
    }

    private static func quantities(
        _ archive: OpenedArchive, _ query: TableQuery
    ) throws -> [SampleType<QuantitySample>] {
        guard let names = query.types else {
            return archive.index.identifiers.sorted().compactMap { SampleType<QuantitySample>($0.text) }
        }
        return try archive.types(names).map { type in
            guard let quantity = SampleType<QuantitySample>(type.identifier) else {
                throw UsageError(
                    .invalidValue, "\(type.shortName) is not a quantity, so it has no statistics",
                    hint: "samples, sleep and workouts are tables of their own")
            }
            return quantity
        }
    }

    private static func rows(of result: StatisticsResult, isPlain: Bool) -> ArrowColumn? {
        let intervals = Array(result.intervals)
        guard !intervals.isEmpty else { return nil }
        func same(_ text: String?) -> ArrowColumn {
            var column = TextColumn()
            column.append(text, count: intervals.count)
            return column.column(isPlain: isPlain)
        }
        return ArrowColumn(
            rows: intervals.count,
            [
                same(result.query.type.identifier), ArrowColumn(times: intervals.map(\.start)),
                ArrowColumn(times: intervals.map(\.end)),
                ArrowColumn(days: intervals.map { result.days.day(of: $0.start.seconds) }),
                same(result.unit.isNull ? nil : result.unit.description),
                ArrowColumn(intervals.map { Int64($0.count) }), ArrowColumn(optional: intervals.map(\.sum)),
                ArrowColumn(optional: intervals.map(\.average)),
                ArrowColumn(optional: intervals.map(\.minimum)),
                ArrowColumn(optional: intervals.map(\.maximum)),
                ArrowColumn(flags: intervals.map(\.isPartial)),
            ])
    }
}

/// A table with a part for each type, computed when it is read.
private final class TypeByType: TableSource {
    let schema: ArrowField
    private var types: ArraySlice<SampleType<QuantitySample>>
    private let make: (SampleType<QuantitySample>) throws -> ArrowColumn?

    init(
        _ schema: ArrowField, _ types: [SampleType<QuantitySample>],
        _ make: @escaping (SampleType<QuantitySample>) throws -> ArrowColumn?
    ) {
        self.schema = schema
        self.types = types[...]
        self.make = make
    }

    func next() throws -> ArrowColumn? {
        while let type = types.popFirst() {
            if let rows = try make(type) { return rows }
        }
        return nil
    }
}
