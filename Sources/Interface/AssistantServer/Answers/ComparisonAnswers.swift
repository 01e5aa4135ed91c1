import CivilTime
import HealthModel
import HealthQueries
import JSONText

/// Comparisons of two periods.
extension ExposedArchive {
    /// Answers `compare`.
    func compare(_ arguments: ToolArguments) async throws -> ToolAnswer {
        let types = try arguments.texts("types").map { text throws(ToolProblem) in try quantity(named: text) }
        let ranges = [try range(arguments, prefix: "a_"), try range(arguments, prefix: "b_")]
        var answer = answer(merge: .priority())
        answer.fact(
            "note",
            "values of days: sums of what is added up, averages of all else; days without data count nowhere")
        for (name, range) in zip(["a", "b"], ranges) {
            let texts = [range.seconds.lowerBound, range.seconds.upperBound].map { days.timestamp($0).iso }
            answer.fact(name) { writer in
                writer.object { writer in
                    writer.member("from", texts[0])
                    writer.member("before", texts[1])
                    writer.member("days", range.dayCount)
                }
            }
        }
        answer.columns = [
            "type", "unit", "aDays", "aN", "aMean", "aMedian", "bDays", "bN", "bMean", "bMedian",
            "difference",
            "percent", "withheld",
        ]
        for type in types {
            let (a, b) = (try await period(type, ranges[0]), try await period(type, ranges[1]))
            let reason = a.reasonToWithhold ?? b.reasonToWithhold
            answer.row { writer in
                writer.string(type.erased.shortName)
                writer.string(a.unit)
                for period in [a, b] {
                    writer.integer(period.values.count)
                    writer.integer(period.count)
                    writer.number(period.mean)
                    writer.number(period.median)
                }
                var (difference, percent): (Double?, Double?)
                if reason == nil, let before = a.mean, let after = b.mean {
                    difference = after - before
                    percent = before == 0 ? nil : (after - before) / before * 100
                }
                writer.number(difference)
                writer.number(percent)
                writer.optional(reason)
            }
        }
        return answer
    }

    private func period(_ type: SampleType<QuantitySample>, _ range: ExposedRange) async throws
        -> ComparedPeriod
    {
        let option: StatisticsOption = type.aggregationStyle == .cumulative ? .sum : .average
        let result = try await store.statistics(
            StatisticsQuery(type, [option], by: .calendar(.day), in: range.query, days: days))
        var period = ComparedPeriod(
            days: range.dayCount, unit: result.unit.description, isSummed: option == .sum)
        for day in result.intervals {
            period.count += day.count
            if let value = day[option] { period.values.append(value) }
        }
        return period
    }
}

/// The values of the days of a period.
private struct ComparedPeriod {
    let days: Int
    let unit: String
    let isSummed: Bool
    var count = 0
    var values: [Double] = []

    var mean: Double? { values.isEmpty ? nil : values.reduce(0, +) / Double(values.count) }

    var median: Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// Why a difference would mislead; nil if it would not.
    var reasonToWithhold: String? {
        let share = Double(values.count) / Double(max(1, days))
        if values.count < 5 { return "fewer than 5 days with data" }
        if share < (isSummed ? 0.8 : 0.5) { return "data on fewer than \(isSummed ? 80 : 50) % of the days" }
        return nil
    }
}
