import CivilTime
import HealthModel
import HealthQueries
import HealthStores
import SystemIO
import Wording

/// Nights, with the time in each stage of sleep.
enum SleepTable: Sendable {
    private static let stages: [(name: String, stage: SleepAnalysisValue)] = [
        ("coreSeconds", .asleepCore), ("deepSeconds", .asleepDeep), ("remSeconds", .asleepREM),
        ("unspecifiedSeconds", .asleepUnspecified), ("awakeSeconds", .awake), ("inBedSeconds", .inBed),
    ]

    /// The nights that end in the time of a query.
    static func table(_ archive: OpenedArchive, _ query: TableQuery) throws -> any TableSource {
        let columns =
            [.day("night"), .time("start"), .time("end"), .integer("asleepSeconds")]
            + stages.map { ArrowField.integer($0.name) }
            + [.integer("gapSeconds"), .list("sources", of: .text("item"))]
        let store = try archive.store()
        return WholeTable(.table(columns)) {
            let (all, days) = try CallerExecutor.run {
                (try await store.sleepTimes(in: query.range).sessions, try await store.days())
            }
            let nights = all.filter { $0.timeAsleep > 0 }
            let seconds =
                [nights.map(\.timeAsleep)]
                + stages.map { stage in nights.map { $0.duration(of: stage.stage) } } + [
                    nights.map(\.gapTime)
                ]
            return [
                ArrowColumn(
                    rows: nights.count,
                    [
                        ArrowColumn(days: nights.map { $0.day(in: days) }),
                        ArrowColumn(times: nights.map(\.start)), ArrowColumn(times: nights.map(\.end)),
                    ] + seconds.map { ArrowColumn($0.map { Int64($0) }) } + [
                        ArrowColumn(lists: nights.map(\.sources)) { ArrowColumn(texts: $0) }
                    ])
            ]
        }
    }
}
