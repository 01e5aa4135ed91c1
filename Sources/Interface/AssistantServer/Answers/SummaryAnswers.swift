import ByteText
import HealthModel
import HealthQueries

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
        return table(from: asked, range, most: Self.mostRows) { unit, most, answer in
            let first = (units.firstIndex(of: unit) ?? 0) * metrics.count
            return fill(&answer, Array(zip(metrics, results[first...])), nights, by: unit, most: most)
        }
    }

    private static let mostRows = 92

    private func fill(
        _ answer: inout ToolAnswer, _ metrics: [(metric: Metric, result: StatisticsResult)],
        _ nights: [SleepSession], by unit: CalendarUnit, most: Int
    ) -> Bool {
        answer.fact(
            "methods",
            "steps, distance, energy and exercise are sums, all else averages; sleep is minutes asleep a night; null means no data"
        )
        var values: [Int: [Double?]] = [:]
        for (place, (metric, result)) in metrics.enumerated() {
            for interval in result.intervals {
                guard values.count <= most else { return false }
                let start = days.start(of: unit, containing: interval.start.seconds)
                values[start, default: Array(repeating: nil, count: metrics.count)][place] =
                    interval[metric.option]
            }
        }
        let bySpan = Dictionary(grouping: nights) { days.start(of: unit, containing: $0.end.seconds) }
        answer.columns = ["start"] + metrics.map(\.metric.name) + ["sleepMinutes", "nights"]
        for start in Set(values.keys).union(bySpan.keys).sorted() {
            let own = bySpan[start] ?? []
            let asleep = own.map { Double($0.timeAsleep) }.reduce(0, +)
            answer.row { writer in
                writer.string(days.day(of: start).description)
                for place in metrics.indices { writer.number(values[start]?[place]?.rounded(toPlaces: 2)) }
                writer.number(own.isEmpty ? nil : (asleep / 60 / Double(own.count)).rounded(toPlaces: 1))
                writer.integer(own.count)
            }
        }
        return answer.rows.count <= most
    }
}
