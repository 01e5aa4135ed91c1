import ByteText
import HealthModel
import HealthQueries
import HealthVault

/// Statistics of quantities, as answers.
extension ExposedArchive {
    /// Answers `statistics`.
    func statistics(_ arguments: ToolArguments) async throws -> ToolAnswer {
        let quantities = try arguments.texts("types").map { text throws(ToolProblem) in
            try quantity(named: text)
        }
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
        return table(from: asked, range, most: most) { unit, most, answer in
            fill(&answer, series, by: unit, most: most)
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

    /// Adds the facts, columns and rows for a unit; returns false, and fewer rows, if there are more than `most`.
    private func fill(
        _ answer: inout ToolAnswer, _ series: [QuantitySeries], by unit: CalendarUnit, most: Int
    ) -> Bool {
        answer.fact("overall") { writer in
            writer.array { writer in for each in series { each.describe(&writer) } }
        }
        let options = StatisticsOption.allCases.filter { option in
            series.contains { $0.options.contains(option) }
        }
        let hasCoverage = unit != .hour && unit != .day
        answer.columns =
            ["type", "start", "n"] + (hasCoverage ? ["coverage"] : []) + ["partial"] + options.map(\.rawValue)
        for each in series {
            for interval in each.intervals(by: unit) {
                guard answer.rows.count < most else { return false }
                let bounds = interval.start.seconds..<interval.end.seconds
                answer.row { writer in
                    writer.string(each.name)
                    writer.string(unit == .hour ? interval.start.iso : String(interval.start.iso.prefix(10)))
                    writer.integer(interval.count)
                    if hasCoverage { writer.number(each.coverage(of: bounds)) }
                    writer.bool(interval.isPartial)
                    for option in options { writer.number(interval[option]) }
                }
            }
        }
        return true
    }

    /// Returns a table by the unit that was asked for or, if that does not fit, by a longer one.
    ///
    /// - Parameters:
    ///   - most: The maximum number of rows, except by year.
    ///   - fill: Adds the facts, columns and rows for a unit; returns false if there are more rows than so many.
    func table(
        from asked: CalendarUnit, _ range: ExposedRange, most: Int,
        _ fill: (CalendarUnit, Int, inout ToolAnswer) -> Bool
    ) -> ToolAnswer {
        var answer = ToolAnswer()
        for unit in Self.longer(than: asked) {
            answer = self.answer(merge: .priority())
            answer.keepsLatest = true
            range.describe(in: &answer)
            answer.fact("by", unit.rawValue)
            if unit != asked {
                answer.fact("note", "by \(asked.rawValue) would not fit, so the intervals are longer")
            }
            if fill(unit, unit == .year ? .max : most, &answer), answer.fits { break }
        }
        return answer
    }

    /// Returns the exposed quantity with a name.
    func quantity(named text: String) throws(ToolProblem) -> SampleType<QuantitySample> {
        let type = try type(named: text)
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
    func coverage(of part: Range<Int>) -> Double? {
        let days = range.days(in: part)
        guard days > 0 else { return nil }
        return (Double(dayStarts.count { part.contains($0) }) / Double(days)).rounded(toPlaces: 3)
    }

    /// Writes what is known of the whole range.
    func describe(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", name)
            writer.member("unit", AnswerUnit.text(result.unit.description))
            writer.member("n", overall?.count ?? 0)
            writer.member("daysWithData", dayStarts.count)
            writer.member("days", range.dayCount)
            for option in options {
                writer.key(option.rawValue)
                writer.number(overall?[option])
            }
            writer.member("sources", ForeignText.shown(result.sources))
            if result.skipped > 0 { writer.member("skipped", result.skipped) }
        }
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

extension Double {
    /// Returns the number with so many decimal places.
    func rounded(toPlaces places: Int) -> Double {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        return (self * scale).rounded() / scale
    }
}
