import ByteText
public import HealthModel
import HealthQueries

/// A report: one page that needs neither scripts nor a network, and has everything in it.
///
/// ```swift
/// let page = try await ReportPage.make(of: store, ReportRequest(in: .last(years: 2)))
/// ```
public struct ReportPage: Sendable {
    /// The page in UTF-8.
    public let bytes: [UInt8]
    /// The sections that have something to show.
    public let sections: [ReportSection]

    /// The start of every page, by which this program recognises it.
    public static let documentStart = "<!DOCTYPE html><html lang=\"en\" data-by=\"healthvault\""

    /// Makes the report of a store, in one pass over its samples.
    ///
    /// Memory holds values by day, and of samples only those of one span at a time.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - request: What the report is to show.
    ///   - progress: Called for each type with its title, the samples of the types before it, and those of all types.
    /// - Throws: An error if the store cannot be read; `QueryError`.
    @concurrent public static func make(
        of store: any HealthStore, _ request: ReportRequest = ReportRequest(),
        progress: @Sendable (_ title: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
    ) async throws -> ReportPage {
        let collection = try await ReportCollection.collect(store, request, progress)
        let maker = ReportMaker(collection)
        var writer = PageWriter(maker.title, maker.subtitle)
        var sections: [ReportSection] = []
        var bodies: [(section: ReportSection, blocks: [ReportBlock])] = []
        for section in ReportSection.allCases where request.sections.contains(section) {
            let blocks = try await maker.blocks(of: section, store)
            guard !blocks.isEmpty else { continue }
            sections.append(section)
            bodies.append((section, blocks))
        }
        writer.begin(sections)
        for (section, blocks) in bodies { writer.write(section, blocks, maker.period.days) }
        writer.end(maker.methods)
        return ReportPage(bytes: writer.bytes, sections: sections)
    }
}

/// The blocks of all sections.
private struct ReportMaker {
    private let collection: ReportCollection
    let period: ReportPeriod

    init(_ collection: ReportCollection) {
        self.collection = collection
        let found = collection.covered.reduce(into: Set<Int>()) { $0.formUnion($1.days) }
        let days = collection.days
        let lone =
            collection.range.lowerBound == .min
            ? LoneStart(found.map { (days.start(ofDay: $0), days.start(ofDay: $0 + 1), 1) }) : nil
        period = ReportPeriod(
            days: days, range: Self.range(of: collection, lone, first: found.min(), last: found.max()),
            lone: lone)
    }

    /// Returns the range from the first to the last day with data, or as requested; it ends with the export.
    private static func range(
        of collection: ReportCollection, _ lone: LoneStart?, first: Int?, last: Int?
    ) -> Range<Int> {
        let days = collection.days
        let now = collection.contents.now?.seconds ?? 0
        let first = lone?.rest ?? first.map { days.start(ofDay: $0) } ?? now
        let last = last.map { days.start(ofDay: $0 + 1) } ?? now
        let lower = collection.range.lowerBound == .min ? first : collection.range.lowerBound
        // The day of the export is not complete; later days are shown only if they were asked for.
        let end = last > now && last <= now + 86400 ? now : last
        let hasEnd = collection.request.range == collection.request.range.endingWithExport
        let upper = hasEnd ? min(collection.range.upperBound, max(now, end)) : end
        return lower..<max(lower, upper)
    }

    var title: String { "Health report" + (collection.request.name.map { " of \($0)" } ?? "") }

    var subtitle: String {
        let days = period.days
        let exportDay = collection.contents.exportDate.map { days.day(of: $0.seconds) }
        let made = exportDay.map { "exported on \($0), " } ?? ""
        var person = ""
        if collection.request.name != nil, let birth = collection.birth, let exportDay, birth <= exportDay {
            person = "born on \(birth), aged \(birth.age(on: exportDay)) on the day of the export; "
        }
        guard !period.range.isEmpty else { return person + made + "days in \(days.zone)" }
        let first = days.day(of: period.range.lowerBound)
        let last = days.day(of: period.range.upperBound - 1)
        return "\(person)\(first) to \(last), \(made)days in \(days.zone)"
    }

    /// The limits of what the report says.
    var methods: [String] {
        let isSelection = collection.contents.isSelection
        return [
            """
            Values are those that the source contains. Sums count each moment once: \
            \(collection.request.merge.rule). Averages of heart rates are weighted by time, those of sound levels by \
            energy. Longer periods show the mean or the median of the days that have data; a day without data is not \
            a zero.
            """,
            collection.request.sections.contains(.overview) ? "" : collection.laterThanExport ?? "",
            collection.request.sections.contains(.overview) ? "" : period.loneNote ?? "",
            isSelection ? "The source is a selection: parts of the export were left out on purpose." : "",
            "Nothing here is medical advice, and nothing is rated.",
        ].filter { !$0.isEmpty }
    }

    func blocks(of section: ReportSection, _ store: any HealthStore) async throws -> [ReportBlock] {
        let quantities = QuantitySections(collection: collection, period: period)
        let sleep = SleepSection(
            nights: collection.nights, period: period, overlong: collection.overlongSleep,
            elsewhere: collection.sleepElsewhere)
        let records = RecordSections(collection: collection, period: period)
        switch section {
        case .overview: return OverviewSection(collection: collection, period: period).blocks
        case .activity, .heart, .body, .hearing, .nutrition, .symptoms: return quantities.blocks(of: section)
        case .sleep: return sleep.blocks + quantities.blocks(of: section)
        case .workouts:
            let workouts = WorkoutSection(
                workouts: collection.workouts, zones: collection.zones, period: period,
                system: collection.request.system)
            return try await workouts.blocks(store)
        case .ecg: return try await ElectrocardiogramSection(collection.range, period).blocks(store)
        case .clinical: return try await records.clinical(store)
        case .records: return records.records(sleep.hours)
        case .sources: return records.sources
        }
    }
}
