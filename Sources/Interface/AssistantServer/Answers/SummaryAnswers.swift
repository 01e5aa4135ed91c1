import ByteText
import HealthModel
import HealthQueries
import Tables

/// One table of the metrics that most questions are about.
extension ExposedArchive {
    /// A metric: a quantity, or sleep.
    private struct Metric: Sendable {
        let name: String
        let type: SampleType<QuantitySample>
        let option: StatisticsOption
    }

    private static let metrics: [Metric] = [
        Metric(name: "steps", type: .stepCount, option: .sum),
        Metric(name: "walkingRunningKm", type: .distanceWalkingRunning, option: .sum),
        Metric(name: "activeKcal", type: .activeEnergyBurned, option: .sum),
        Metric(name: "exerciseMinutes", type: .appleExerciseTime, option: .sum),
        Metric(name: "restingHeartRate", type: .restingHeartRate, option: .average),
        Metric(name: "heartRate", type: .heartRate, option: .average),
        Metric(name: "hrvMs", type: .heartRateVariabilitySDNN, option: .average),
        Metric(name: "bodyMassKg", type: .bodyMass, option: .average),
    ]

    /// Answers `summary`.
    func summary(_ arguments: ToolArguments) async throws -> ToolAnswer {
        let range = try range(arguments)
        let asked = arguments.text("by").flatMap { CalendarUnit(rawValue: $0) } ?? .week
        let metrics = Self.metrics.filter { contents.extent(of: $0.type.erased) != nil }
        let nights = try await nights(in: range).sessions.filter { $0.timeAsleep > 0 }
        let units = Self.longer(than: asked)
        let results = try await store.statistics(
            units.flatMap { unit in
                metrics.map { metric in
                    var query = query(metric.type, [metric.option], by: .calendar(unit), in: range)
                    // Of more than could be shown, none are.
                    if unit != .year { query.enough = Self.mostRows + 2 }
                    return query
                }
            })
        return answer(from: asked, in: range, most: Self.mostRows) { unit in
            let first = (units.firstIndex(of: unit) ?? 0) * metrics.count
            return table(Array(zip(metrics, results[first...])), nights, by: unit)
        }
    }

    private static let mostRows = 92

    /// Returns the table of the intervals that have data, each by its start.
    private func table(
        _ metrics: [(metric: Metric, result: StatisticsResult)], _ nights: [SleepSession],
        by unit: CalendarUnit
    ) -> Table<Int> {
        let nights = Dictionary(grouping: nights) { days.start(of: unit, containing: $0.end.seconds) }
        var starts = Set(nights.keys)
        var columns: [TableColumn<Int>] = [TableColumn("start") { days.day(of: $0) }]
        for (metric, result) in metrics {
            let values = Dictionary(
                result.intervals.map { interval in
                    (days.start(of: unit, containing: interval.start.seconds), interval[metric.option])
                }, uniquingKeysWith: { $1 })
            starts.formUnion(values.keys)
            columns.append(TableColumn(metric.name) { values[$0]??.rounded(toPlaces: 2) })
        }
        columns += [
            TableColumn("sleepMinutes") { nights[$0]?.meanMinutes(\.timeAsleep) },
            TableColumn("nights") { nights[$0]?.count ?? 0 },
        ]
        let methods =
            "steps, distance, energy and exercise are sums, all else averages; sleep is minutes asleep a night; null means no data"
        return Table("rows", starts.sorted(), columns, facts: [("methods", methods)])
    }
}
