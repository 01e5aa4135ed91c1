import ByteText
import HealthModel
import HealthQueries

/// Comparisons of two periods.
extension ExposedArchive {
    /// Answers `compare`.
    func compare(_ arguments: ToolArguments) async throws -> ToolAnswer {
        let types = try arguments.texts("types").map { text throws(ToolProblem) in try quantity(named: text) }
        let ranges = try AssistantTool.compare.periods.map { period throws(ToolProblem) in
            try range(arguments, prefix: period)
        }
        var answer = answer(merge: .priority())
        answer.fact(
            "note",
            "values of days: sums of what is added up, averages of all else; days without data count nowhere")
        for (name, range) in zip(["a", "b"], ranges) {
            answer.fact(name) { writer in
                writer.object { writer in
                    range.write(&writer)
                    writer.member("days", range.dayCount)
                }
            }
        }
        answer.columns = [
            "type", "unit", "aDays", "aN", "aMean", "aMedian", "bDays", "bN", "bMean", "bMedian",
            "difference", "percent", "withheld",
        ]
        var values: [[DailyValues]] = []
        for range in ranges {
            let queries = types.map { type in
                query(
                    type, [type.aggregationStyle == .cumulative ? .sum : .average], by: .calendar(.day),
                    in: range)
            }
            values.append(try await store.statistics(queries).map { DailyValues($0, $0.options[0]) })
        }
        for (index, type) in types.enumerated() {
            let (a, b) = (PeriodDays(values[0][index], ranges[0]), PeriodDays(values[1][index], ranges[1]))
            let reason = a.reasonToWithhold ?? b.reasonToWithhold
            answer.row { writer in
                writer.string(ForeignText.shown(type.erased.shortName))
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
}

/// The values of the days of a period.
private struct PeriodDays {
    let values: [Double]
    let unit: String
    /// The number of samples.
    let count: Int
    private let days: Int
    private let isSummed: Bool

    init(_ daily: DailyValues, _ range: ExposedRange) {
        values = daily.days.map(\.value)
        unit = AnswerUnit.text(daily.unit.description)
        count = daily.statistics.intervals.total(\.count)
        days = range.dayCount
        isSummed = daily.option == .sum
    }

    var mean: Double? { values.isEmpty ? nil : values.reduce(0, +) / Double(values.count) }
    var median: Double? { values.isEmpty ? nil : values.median }

    /// Why a difference would mislead; nil if it would not.
    var reasonToWithhold: String? {
        let share = Double(values.count) / Double(max(1, days))
        if values.count < 5 { return "fewer than 5 days with data" }
        if share < (isSummed ? 0.8 : 0.5) { return "data on fewer than \(isSummed ? 80 : 50) % of the days" }
        return nil
    }
}
