import ByteText
import CommandLineKit
import HealthModel
import HealthQueries
import HealthReport
import HealthVault
import SystemIO
import Tables
import Wording

/// The command `healthvault chart`.
struct ChartCommand: VaultCommand {
    var source = SourceOptions()
    var type = SampleTypeName.other("")
    var second: SampleTypeName?
    var unit: Unit?
    var time = TimeOptions()
    var samples = SampleOptions()
    var series = SeriesOptions()
    var drawing = DrawingOptions()

    /// What the horizontal axis is divided into.
    enum Unit: String, CaseIterable, Sendable {
        case hour, day, week, month, year
        case hourOfWeek = "hour-of-week"

        /// The length of the intervals; nil for the hours of a week.
        var interval: CalendarUnit? { CalendarUnit(rawValue: rawValue) }
    }

    static let grammar = CommandGrammar<Self>(
        name: "chart",
        summary: "Draws one or two types over time, in the terminal or as SVG.",
        discussion: """
            The values are those of 'stats': sums as bars, averages as a line in the range from the lowest to the \
            highest value. A gap in the data breaks a line. Types with different units have separate \
            panels. 'sleepAnalysis' shows the hours asleep. --by hour-of-week draws a row for each day of the week, \
            with a shade for each hour. Without --by, the intervals are chosen by the length of \
            the period. In a locale without UTF-8, the chart is drawn in ASCII.
            """,
        examples: [
            HelpExample("healthvault chart health.hvault stepCount --last 90d", "Draw the steps of each day"),
            HelpExample(
                "healthvault chart export.zip heartRate stepCount --by month -o heart.svg",
                "Write a drawing with two panels"),
        ],
        elements: [
            .including(\.source, SourceOptions.argument),
            .argument(
                \.type, "TYPE", "a quantity such as stepCount, or sleepAnalysis", as: KnownSampleType.parser),
            .optionalArgument(\.second, "TYPE2", "another one to compare", as: KnownSampleType.parser),
            .option(
                \.unit, "by", value: "UNIT", default: "by the period",
                "hour, day, week, month, year or hour-of-week",
                as: .choice),
            .including(\.time, TimeOptions.elements),
            .including(\.samples, SampleOptions.elements),
            .including(\.series, SeriesOptions.elements),
            .including(\.drawing, DrawingOptions.elements),
            .including(\.source, SourceOptions.options),
        ])

    func validate() throws(UsageError) {
        try source.validate()
        try time.validate()
        try series.validate()
        try drawing.validate()
        if unit == .hourOfWeek, second != nil || type == .type(.sleepAnalysis) {
            throw UsageError(
                .invalidCombination, "--by hour-of-week draws one quantity", hint: "draw two charts")
        }
    }

    func run() async throws -> ExitStatus {
        try drawing.check()
        let store = try source.open()
        var types: [AnySampleType] = []
        for name in [type, second].compactMap(\.self) {
            types.append(try await KnownSampleType.type(name, in: store))
        }
        let chart =
            types.contains(.sleepAnalysis)
            ? try await sleepChart(types, store) : try await statisticsChart(types, store)
        if drawing.output != nil {
            try drawing.save(SVGDrawing(chart).document)
        } else {
            try Console.print(ChartText.text(chart, style: Console.outputStyle))
        }
        return .done
    }

    private func statisticsChart(_ types: [AnySampleType], _ store: any HealthStore) async throws -> Chart {
        let queries = try types.map { type in
            guard let quantity = SampleType<QuantitySample>(type.identifier) else {
                throw UsageError(
                    .invalidValue, "\(type.shortName) is not a quantity, so it has no chart",
                    hint: "'healthvault query' lists its samples")
            }
            return StatisticsQuery(
                quantity, by: .calendar(.hour), in: time.range, where: samples.predicate,
                merge: series.merge.rule, unit: series.units.unit(of: type), days: try series.days.given,
                firstWeekday: series.weekStart.weekday)
        }
        let days = try series.days.given
        func found(from first: Int) async throws -> [StatisticsResult] {
            try await store.statistics(queries) { query, contents in
                query.range = time.range(before: types, of: contents, days)
                if unit != .hourOfWeek {
                    query.interval = .calendar(chosenUnit(types, contents, days, from: first))
                }
            }.map { series.units.applied(to: $0) }
        }
        var results = try await found(from: .min)
        let axis = try await axis(store)
        // What lies far before the rest does not choose the unit.
        if unit == nil, (axis?.lowerBound ?? .min) == .min, let lone = results.loneStart {
            results = try await found(from: lone.rest)
        }
        guard results.contains(where: { !$0.intervals.isEmpty }) else {
            throw samples.noneCounted(in: results, of: source.path)
        }
        for result in results where result.intervals.isEmpty {
            Console.log(note: "warning: \(samples.reasonForNone(in: result))")
        }
        try await log(results.warnings, types, store)
        if unit == .hourOfWeek { return HoursOfWeekChart.chart(results[0]) }
        return StatisticsChart.chart(results, in: axis)
    }

    private func sleepChart(_ types: [AnySampleType], _ store: any HealthStore) async throws -> Chart {
        guard types.count == 1 else {
            throw UsageError(
                .invalidCombination, "sleepAnalysis cannot be combined with another type",
                hint: "draw two charts")
        }
        guard !series.merge.isGiven, series.units == .source else {
            throw UsageError(
                .invalidCombination, "sleepAnalysis has a rule and units of its own, as in 'sleep'",
                hint: "leave out --merge, --priority and --units")
        }
        let found = try await store.sleepTimes(
            in: time.range.endingWithExport, where: samples.predicate, days: try series.days.given)
        guard found.sessions.contains(where: { $0.timeAsleep > 0 }) else {
            throw found.noneLeft(of: source.path)
        }
        try await log(found.warnings, types, store)
        for hint in found.hints { Console.log(note: "\(hint)") }
        let rule = try await series.days.days(of: store)
        let axis = try await axis(store)
        let lone = found.sessions.means(by: .day, in: rule).loneStart(by: .day, rule)
        let first = (axis?.lowerBound ?? .min) == .min ? lone?.rest : nil
        let unit = chosenUnit(
            types, try await store.contents(), try series.days.given, from: first ?? .min)
        return SleepChart.chart(
            found.sessions, by: unit, rule.startingWeeks(on: series.weekStart.weekday), in: axis)
    }

    /// Logs warnings, and those about samples that are dated after the export.
    private func log(
        _ warnings: [TerminalText], _ types: [AnySampleType], _ store: any HealthStore
    ) async throws {
        let later = time.warnings(
            onLater: types, in: time.range.endingWithExport, of: try await store.contents(),
            try series.days.given)
        for warning in warnings + later { Console.log(note: "warning: \(warning)") }
    }

    /// The range of the axis in seconds; nil for that of the values.
    private func axis(_ store: any HealthStore) async throws -> Range<Int>? {
        guard !time.range.isUnlimited else { return nil }
        let contents = try await store.contents()
        let range = time.range.resolved(in: contents, days: try series.days.given)
        // A period without an end ends with the export.
        return contents.now.map { range.clamped(to: .min..<max(range.lowerBound, $0.seconds)) } ?? range
    }

    /// The unit of the intervals: as given, or one of which at most some 120 are in the period.
    ///
    /// - Parameter start: When the period starts, at the earliest.
    private func chosenUnit(
        _ types: [AnySampleType], _ contents: StoreContents, _ days: Days?, from start: Int
    ) -> CalendarUnit {
        if let unit = unit?.interval { return unit }
        let extents = types.compactMap { contents.extent(of: $0) }
        let first = extents.compactMap(\.first?.seconds).min() ?? 0
        let last = extents.compactMap(\.last?.seconds).max() ?? 0
        let range = time.range(before: types, of: contents, days).resolved(in: contents, days: days)
        return switch min(last, range.upperBound) - max(first, start, range.lowerBound) {
        case ..<(3 * 86400): types.contains(.sleepAnalysis) ? .day : .hour
        case ..<(120 * 86400): .day
        case ..<(800 * 86400): .week
        case ..<(12 * 366 * 86400): .month
        default: .year
        }
    }
}
