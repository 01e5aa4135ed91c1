import ByteText
import HealthModel
import HealthQueries
import Tables

/// Comparisons of two periods.
extension ExposedArchive {
    /// Answers `compare`.
    func compare(_ arguments: ToolArguments) async throws -> ToolAnswer {
        // Nights count as hours of sleep on the day on which they end.
        let types = try arguments.texts("types").map { text throws(ToolProblem) in
            let type = try type(named: text)
            return type == .sleepAnalysis ? nil : try quantity(type)
        }
        let ranges = try AssistantTool.compare.periods.map { period throws(ToolProblem) in
            try range(arguments, prefix: period)
        }
        var values: [[DailyValues]] = []
        for range in ranges {
            let queries = types.compactMap(\.self).map { type in
                query(type, [.daily(of: type)], by: .calendar(.day), in: range)
            }
            var results = try await store.statistics(queries).map { DailyValues($0, $0.options[0]) }[...]
            var sleep: DailyValues?
            if types.contains(nil) {
                sleep = DailyValues(try await nights(in: range), nil, days, now: contents.now?.seconds)
            }
            values.append(types.compactMap { $0 == nil ? sleep : results.popFirst() })
        }
        let rows = types.indices.map { index in
            ComparedDays(PeriodDays(values[0][index], ranges[0]), PeriodDays(values[1][index], ranges[1]))
        }
        let columns: [TableColumn<ComparedDays>] =
            [
                TableColumn("type") { ForeignText.shown($0.a.type.shortName) },
                TableColumn("unit") { $0.a.unit },
            ] + Self.columns("a") { $0.a } + Self.columns("b") { $0.b } + [
                TableColumn("difference") { $0.difference }, TableColumn("percent") { $0.percent },
                TableColumn("withheld") { $0.reasonToWithhold },
            ]
        let note =
            "values of days: sums of what is added up, hours of sleep, averages of all else; days without data count nowhere"
        let periods = zip(["a", "b"], ranges).map { name, range -> TableObject.Member in
            (name, TableObject(range.members + [("days", range.dayCount)]))
        }
        return answer(Table("rows", rows, columns, facts: [("note", note)] + periods), merge: .priority())
    }

    /// Returns the columns of one of the two periods.
    private static func columns(
        _ name: String, _ period: @escaping (ComparedDays) -> PeriodDays
    ) -> [TableColumn<ComparedDays>] {
        [
            TableColumn("\(name)Days") { period($0).values.count },
            TableColumn("\(name)N") { period($0).count }, TableColumn("\(name)Mean") { period($0).mean },
            TableColumn("\(name)Median") { period($0).median },
        ]
    }
}

/// A quantity in two periods.
private struct ComparedDays {
    let a: PeriodDays
    let b: PeriodDays

    init(_ a: PeriodDays, _ b: PeriodDays) { (self.a, self.b) = (a, b) }

    /// Why a difference would mislead; nil if it would not.
    var reasonToWithhold: String? { a.reasonToWithhold ?? b.reasonToWithhold }

    var difference: Double? {
        guard reasonToWithhold == nil, let before = a.mean, let after = b.mean else { return nil }
        return after - before
    }

    var percent: Double? {
        guard let difference, let before = a.mean, before != 0 else { return nil }
        return difference / before * 100
    }
}

/// The values of the days of a period.
private struct PeriodDays {
    let type: AnySampleType
    let values: [Double]
    let unit: String
    /// The number of samples.
    let count: Int
    private let days: Int
    private let isSummed: Bool

    init(_ daily: DailyValues, _ range: ExposedRange) {
        type = daily.type
        values = daily.days.map(\.value)
        unit = AnswerUnit.text(daily.unit.description)
        count = daily.statistics?.intervals.total(\.count) ?? daily.days.count
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
