import ByteText
import HealthModel
import HealthQueries
import HealthVault
import Tables

/// Statistics of quantities, as answers.
extension ExposedArchive {
    /// Answers `statistics`.
    func statistics(_ arguments: ToolArguments) async throws -> ToolAnswer {
        let types = try arguments.texts("types").map { text throws(ToolProblem) in try type(named: text) }
        let categories = types.compactMap { SampleType<CategorySample>($0.identifier) }
        guard categories.isEmpty || types.contains(.sleepAnalysis) else {
            guard categories.count == types.count else {
                throw ToolProblem(
                    "some of these types are categories and others quantities: ask for them apart")
            }
            return try await entries(categories, arguments)
        }
        let quantities = try types.map { type throws(ToolProblem) in try quantity(type) }
        let range = try range(arguments)
        let options = arguments.texts("agg").compactMap { StatisticsOption(rawValue: $0) }
        for option in options where !quantities.contains(where: { option.fits($0.erased) }) {
            throw ToolProblem(
                "\(option.rawValue) fits none of these types: some are added up, others averaged")
        }
        let asked = arguments.text("by").flatMap { CalendarUnit(rawValue: $0) } ?? .day
        let sources = arguments.texts("sources")
        let most = Self.mostIntervals * quantities.count
        // All samples in one interval, which is longer than any life; then by the units that may be shown, and by days.
        let units = CalendarUnit.allCases.filter { $0 == .day || Self.longer(than: asked).contains($0) }
        let queries = quantities.flatMap { type in
            let query = query(
                type, options.filter { $0.fits(type.erased) }, by: .every(200, .year), in: range,
                where: sources.isEmpty ? .all : .sources(named: sources))
            return [query] + units.map { query.by($0, most: most) }
        }
        let results = try await store.statistics(queries)
        let series = stride(from: 0, to: results.count, by: 1 + units.count).map { first in
            QuantitySeries(
                overall: results[first],
                Dictionary(uniqueKeysWithValues: zip(units, results[(first + 1)...])), range)
        }
        return answer(from: asked, in: range) { Self.table(series, by: $0) }
    }

    /// Answers `statistics` of categories: how many samples start in each interval, and how long they are.
    private func entries(
        _ types: [SampleType<CategorySample>], _ arguments: ToolArguments
    ) async throws -> ToolAnswer {
        guard arguments.texts("agg").isEmpty else {
            throw ToolProblem("agg is for quantities: the samples of categories are counted")
        }
        typealias Row = (result: CategoryStatistics, interval: CategoryStatistics.Interval)
        let range = try range(arguments)
        let asked = arguments.text("by").flatMap { CalendarUnit(rawValue: $0) } ?? .day
        let sources = arguments.texts("sources")
        var rows: [CalendarUnit: [Row]] = [:]
        for unit in Self.longer(than: asked) {
            for type in types {
                let result = try await store.statistics(
                    of: type, by: unit, in: range.query,
                    where: sources.isEmpty ? .all : .sources(named: sources), days: days)
                rows[unit, default: []] += result.intervals.map { (result, $0) }
            }
        }
        func minutes(_ seconds: Int) -> Double { (Double(seconds) / 60).rounded(toPlaces: 1) }
        return answer(from: asked, in: range) { unit in
            Table(
                "rows", rows[unit] ?? [],
                [
                    TableColumn("type") { $0.result.type.erased.shortName },
                    TableColumn("start") { row in
                        unit == .hour ? row.interval.start.iso : String(row.interval.start.iso.prefix(10))
                    },
                    TableColumn("n") { $0.interval.count }, TableColumn("partial") { $0.interval.isPartial },
                    TableColumn("minutes") { minutes($0.interval.duration) },
                    TableColumn("values") { row in
                        let counts = zip(row.result.values, row.interval.counts).filter { $1 > 0 }
                        return TableObject(counts.map { ($0.title, $1) })
                    },
                ])
        }
    }

    /// Returns a unit and those that are longer.
    static func longer(than unit: CalendarUnit) -> [CalendarUnit] {
        Array(CalendarUnit.allCases.drop { $0 != unit })
    }

    /// The maximum number of intervals of a type.
    private static let mostIntervals = 366

    /// Returns a query for what is exposed of a quantity.
    ///
    /// A sample that starts before everything that is exposed does not count, although it may overlap the range.
    func query(
        _ type: SampleType<QuantitySample>, _ options: [StatisticsOption],
        by interval: StatisticsQuery.Interval, in range: ExposedRange,
        where predicate: SamplePredicate = .all, merge: SourceMerge = .priority()
    ) -> StatisticsQuery {
        var query = StatisticsQuery(
            type, options, by: interval, in: range.query, where: predicate, merge: merge, days: days)
        if isCut { query.lookback = min(query.lookback, range.seconds.lowerBound - first) }
        return query
    }

    private static func table(
        _ series: [QuantitySeries], by unit: CalendarUnit
    ) -> Table<(series: QuantitySeries, interval: Statistics)> {
        let options = StatisticsOption.allCases.filter { option in
            series.contains { $0.options.contains(option) }
        }
        var columns: [TableColumn<(series: QuantitySeries, interval: Statistics)>] = [
            TableColumn("type") { $0.series.name },
            TableColumn("start") { row in
                unit == .hour ? row.interval.start.iso : String(row.interval.start.iso.prefix(10))
            },
            TableColumn("n") { $0.interval.count },
        ]
        if unit != .hour, unit != .day {
            columns.append(TableColumn("coverage") { $0.series.coverage(of: $0.interval) })
        }
        columns.append(TableColumn("partial") { $0.interval.isPartial })
        columns += options.map { option in TableColumn(option.rawValue) { $0.interval[option] } }
        let rows = series.flatMap { each in
            each.intervals(by: unit).map { (series: each, interval: $0) }
        }
        return Table("rows", rows, columns, facts: [("overall", series.map(\.overview))])
    }

    /// Returns an answer by the unit that was asked for or, if that does not fit, by a longer one.
    ///
    /// - Parameters:
    ///   - most: The maximum number of rows, except by year.
    ///   - table: Returns the table by a unit.
    func answer<Row>(
        from asked: CalendarUnit, in range: ExposedRange, most: Int = .max,
        _ table: (CalendarUnit) -> Table<Row>
    ) -> ToolAnswer {
        func answer(by unit: CalendarUnit) -> ToolAnswer {
            var table = table(unit)
            var facts: [TableObject.Member] = [("by", unit.rawValue)]
            if unit != asked {
                facts.append(("note", "by \(asked.rawValue) would not fit, so the intervals are longer"))
            }
            table.facts = facts + table.facts
            return self.answer(table, in: range, merge: .priority(), keepsLatest: true)
        }
        for unit in Self.longer(than: asked) where unit != .year {
            let answer = answer(by: unit)
            if answer.fits, answer.rows.count <= most { return answer }
        }
        return answer(by: .year)
    }

    /// Returns the exposed quantity with a name.
    func quantity(named text: String) throws(ToolProblem) -> SampleType<QuantitySample> {
        try quantity(try type(named: text))
    }

    /// Returns a type as a quantity.
    func quantity(_ type: AnySampleType) throws(ToolProblem) -> SampleType<QuantitySample> {
        guard let quantity = SampleType<QuantitySample>(type.identifier) else {
            throw ToolProblem(
                "such a type is no quantity: sleep, workouts, ecg and samples show what is none")
        }
        return quantity
    }
}

/// The statistics of one quantity in a range.
private struct QuantitySeries: Sendable {
    private let result: StatisticsResult
    private let byUnit: [CalendarUnit: StatisticsResult]
    private let range: ExposedRange
    /// The starts of the days with samples, in chronological order.
    private let dayStarts: [Int]
    /// All samples in one interval; nil if there are none.
    private let overall: Statistics?

    init(overall: StatisticsResult, _ byUnit: [CalendarUnit: StatisticsResult], _ range: ExposedRange) {
        result = overall
        self.byUnit = byUnit
        self.range = range
        self.overall = overall.intervals.first
        dayStarts = (byUnit[.day]?.intervals ?? []).map(\.start.seconds)
    }

    /// The name of the type.
    var name: String { ForeignText.shown(result.query.type.erased.shortName) }
    /// The values that were computed.
    var options: [StatisticsOption] { result.options }

    /// Returns the statistics by intervals.
    func intervals(by unit: CalendarUnit) -> [Statistics] { byUnit[unit]?.intervals ?? [] }

    /// Returns the share of days with samples.
    func coverage(of interval: Statistics) -> Double? {
        let part = interval.start.seconds..<interval.end.seconds
        let days = range.days(in: part)
        guard days > 0 else { return nil }
        return (Double(dayStarts.count { part.contains($0) }) / Double(days)).rounded(toPlaces: 3)
    }

    /// What is known of the whole range.
    var overview: TableObject {
        let facts: [TableObject.Member] = [
            ("type", name), ("unit", AnswerUnit.text(result.unit.description)), ("n", overall?.count ?? 0),
            ("daysWithData", dayStarts.count), ("days", range.dayCount),
        ]
        let values = options.map { option -> TableObject.Member in (option.rawValue, overall?[option]) }
        let sources: [TableObject.Member] = [("sources", ForeignText.shown(result.sources))]
        let skipped: [TableObject.Member] = result.skipped > 0 ? [("skipped", result.skipped)] : []
        return TableObject(facts + values + sources + skipped)
    }
}

extension StatisticsQuery {
    /// Returns the query by a unit, with no more than one interval more than could be shown.
    ///
    /// All days are counted, and all years are shown.
    func by(_ unit: CalendarUnit, most: Int) -> StatisticsQuery {
        var query = self
        query.interval = .calendar(unit)
        if unit != .day, unit != .year { query.enough = most + 1 }
        return query
    }
}

extension SamplePredicate {
    /// Samples of sources with one of these names.
    static func sources(named names: [String]) -> SamplePredicate {
        names.dropFirst().reduce(.source(.name(readsLike: names[0]))) { $0 || .source(.name(readsLike: $1)) }
    }
}
