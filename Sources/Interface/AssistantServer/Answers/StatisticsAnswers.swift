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
        var series: [QuantitySeries] = []
        for type in quantities {
            let own = options.filter { $0.fits(type.erased) }
            series.append(
                try await QuantitySeries(
                    of: type, own.isEmpty ? StatisticsOption.standard(for: type.erased) : own,
                    sources: sources, range,
                    in: self))
        }
        var answer = ToolAnswer()
        for unit in CalendarUnit.coarsened(from: asked) {
            answer = try await table(series, by: unit, asked: asked, range)
            if answer.rows.count <= Self.mostIntervals * quantities.count, answer.fits { break }
        }
        return answer
    }

    /// The maximum number of intervals of a type.
    private static let mostIntervals = 366

    private func table(
        _ series: [QuantitySeries], by unit: CalendarUnit, asked: CalendarUnit, _ range: ExposedRange
    ) async throws -> ToolAnswer {
        var answer = answer(merge: .priority())
        answer.keepsLatest = true
        range.describe(in: &answer)
        answer.fact("by", unit.rawValue)
        if unit != asked {
            answer.fact("note", "by \(asked.rawValue) would not fit, so the intervals are longer")
        }
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
            let intervals = try await each.statistics(by: .calendar(unit)).intervals
            for interval in intervals {
                let bounds = interval.start.seconds..<interval.end.seconds
                answer.row { writer in
                    writer.string(each.type.erased.shortName)
                    writer.string(unit == .hour ? interval.start.iso : String(interval.start.iso.prefix(10)))
                    writer.integer(interval.count)
                    if hasCoverage { writer.number(each.coverage(of: bounds)) }
                    writer.bool(interval.isPartial)
                    for option in options { writer.number(interval[option]) }
                }
            }
        }
        return answer
    }

    /// Returns the exposed quantity with a name.
    func quantity(named text: String) throws(ToolProblem) -> SampleType<QuantitySample> {
        let type = try type(named: text)
        guard let quantity = SampleType<QuantitySample>(type.identifier) else {
            throw ToolProblem(
                "\(type.printableName) is not a quantity: sleep, workouts, ecg and samples show what is not")
        }
        return quantity
    }
}

/// The statistics of one quantity in a range.
struct QuantitySeries: Sendable {
    let type: SampleType<QuantitySample>
    let options: [StatisticsOption]
    private let query: StatisticsQuery
    private let store: any HealthStore
    private let range: ExposedRange
    private let whole: StatisticsResult
    /// The starts of the days with samples, in chronological order.
    private let dayStarts: [Int]

    init(
        of type: SampleType<QuantitySample>, _ options: [StatisticsOption], sources: [String] = [],
        _ range: ExposedRange, in archive: ExposedArchive
    ) async throws {
        self.type = type
        self.options = options
        self.range = range
        store = archive.store
        var query = StatisticsQuery(type, options, in: range.query, days: archive.days)
        if !sources.isEmpty { query.predicate = .sources(named: sources) }
        self.query = query
        // One interval that is longer than any life.
        query.interval = .every(200, .year)
        whole = try await store.statistics(query)
        query.interval = .calendar(.day)
        query.options = [.mostRecent]
        dayStarts = try await store.statistics(query).intervals.map(\.start.seconds)
    }

    /// Returns the statistics by intervals.
    func statistics(by interval: StatisticsQuery.Interval) async throws -> StatisticsResult {
        var query = query
        query.interval = interval
        return try await store.statistics(query)
    }

    /// Returns the share of days with samples.
    func coverage(of part: Range<Int>) -> Double? {
        let days = range.days(in: part)
        guard days > 0 else { return nil }
        return (Double(dayStarts.count { part.contains($0) }) / Double(days)).rounded(toPlaces: 3)
    }

    /// Writes what is known of the whole range.
    func describe(_ writer: inout JSONWriter) {
        let overall = whole.intervals.first
        writer.object { writer in
            writer.member("type", type.erased.shortName)
            writer.member("unit", whole.unit.description)
            writer.member("n", overall?.count ?? 0)
            writer.member("daysWithData", dayStarts.count)
            writer.member("days", range.dayCount)
            for option in options {
                writer.key(option.rawValue)
                writer.number(overall?[option])
            }
            writer.member("sources", ForeignText.shown(whole.sources))
            if whole.skipped > 0 { writer.member("skipped", whole.skipped) }
        }
    }
}

extension SamplePredicate {
    /// Samples of sources with one of these names.
    static func sources(named names: [String]) -> SamplePredicate {
        names.dropFirst().reduce(.source(.named(names[0]))) { $0 || .source(.named($1)) }
    }
}

extension CalendarUnit {
    /// Returns the unit and all longer ones.
    static func coarsened(from unit: CalendarUnit) -> ArraySlice<CalendarUnit> {
        allCases.drop { $0 != unit }
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
