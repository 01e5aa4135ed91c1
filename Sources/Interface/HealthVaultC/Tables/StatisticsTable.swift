import ByteText
import HealthArchive
import HealthModel
import HealthQueries
import SampleBatches
import SystemIO
import Tables

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
        return StatisticsPieces(.table(columns), types, isPlain: query.hasPlainTexts) { type in
            let result = try CallerExecutor.run {
                try await store.statistics(
                    StatisticsQuery(type, by: .calendar(query.unit), in: query.range))
            }
            // In the units of the source, as the command prints them.
            return UnitChoice.source.applied(to: result)
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
                throw CallerError(
                    "\(type.shortName) is not a quantity, so it has no statistics",
                    hint: "samples, sleep and workouts are tables of their own")
            }
            return quantity
        }
    }
}

/// A table in pieces of so many intervals of a type; the types are computed when they are read.
private final class StatisticsPieces: TableSource {
    let schema: ArrowField
    private var types: ArraySlice<SampleType<QuantitySample>>
    private let isPlain: Bool
    private let make: (SampleType<QuantitySample>) throws -> StatisticsResult
    private var current: StatisticsResult?
    /// Its intervals that were not returned.
    private var rest: ArraySlice<Statistics> = []

    /// The number of intervals in a piece.
    private static let length = 1 << 14

    init(
        _ schema: ArrowField, _ types: [SampleType<QuantitySample>], isPlain: Bool,
        _ make: @escaping (SampleType<QuantitySample>) throws -> StatisticsResult
    ) {
        self.schema = schema
        self.types = types[...]
        self.isPlain = isPlain
        self.make = make
    }

    func next() throws -> ArrowColumn? {
        while true {
            if let current, !rest.isEmpty {
                defer { rest = rest.dropFirst(Self.length) }
                return rows(Array(rest.prefix(Self.length)), of: current)
            }
            guard let type = types.popFirst() else { return nil }
            // Of one type only, so that no other is in memory.
            (current, rest) = (nil, [])
            let result = try make(type)
            (current, rest) = (result, result.intervals[...])
        }
    }

    private func rows(_ intervals: [Statistics], of result: StatisticsResult) -> ArrowColumn {
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
