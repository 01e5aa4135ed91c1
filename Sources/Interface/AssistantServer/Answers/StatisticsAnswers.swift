import CivilTime
import HealthModel
import HealthQueries
import HealthVault
import JSONText

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
        let queries = quantities.map { type in
            query(
                type, options.filter { $0.fits(type.erased) }, in: range,
                where: sources.isEmpty ? .all : .sources(named: sources))
        }
        let series = try await store.statistics(queries).map { result throws(QueryError) in
            try QuantitySeries(result, range)
        }
        return try table(from: asked, range, most: Self.mostIntervals * quantities.count) {
            (unit, most, answer) throws(QueryError) in try fill(&answer, series, by: unit, most: most)
        }
    }

    /// The maximum number of intervals of a type.
    private static let mostIntervals = 366

    /// Returns a query for what is exposed of a quantity, by year: shorter intervals may be too many.
    ///
    /// A sample that starts before everything that is exposed does not count, although it may overlap the range.
    func query(
        _ type: SampleType<QuantitySample>, _ options: [StatisticsOption],
        by interval: StatisticsQuery.Interval = .calendar(.year), in range: ExposedRange,
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
    ) throws(QueryError) -> Bool {
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
            for interval in try each.intervals(by: unit) {
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
    /// - Throws: `QueryError` if there are too many intervals by year.
    func table(
        from asked: CalendarUnit, _ range: ExposedRange, most: Int,
        _ fill: (CalendarUnit, Int, inout ToolAnswer) throws(QueryError) -> Bool
    ) throws(QueryError) -> ToolAnswer {
        var answer = ToolAnswer()
        for unit in CalendarUnit.allCases.drop(while: { $0 != asked }) {
            answer = self.answer(merge: .priority())
            answer.keepsLatest = true
            range.describe(in: &answer)
            answer.fact("by", unit.rawValue)
            if unit != asked {
                answer.fact("note", "by \(asked.rawValue) would not fit, so the intervals are longer")
            }
            let isLast = unit == .year
            do {
                if try fill(unit, isLast ? .max : most, &answer), answer.fits { break }
            } catch {
                guard error.code == .tooManyIntervals, !isLast else { throw error }
            }
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
    private let range: ExposedRange
    /// The starts of the days with samples, in chronological order.
    private let dayStarts: [Int]
    /// All samples in one interval, which is longer than any life; nil if there are none.
    private let overall: Statistics?

    init(_ result: StatisticsResult, _ range: ExposedRange) throws(QueryError) {
        self.result = result
        self.range = range
        dayStarts = try result.by(.calendar(.day)).intervals.map(\.start.seconds)
        overall = try result.by(.every(200, .year)).intervals.first
    }

    /// The name of the type.
    var name: String { ForeignText.shown(result.query.type.erased.shortName) }
    /// The values that were computed.
    var options: [StatisticsOption] { result.options }

    /// Returns the statistics by intervals.
    func intervals(by unit: CalendarUnit) throws(QueryError) -> StatisticsIntervals {
        try result.by(.calendar(unit)).intervals
    }

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
