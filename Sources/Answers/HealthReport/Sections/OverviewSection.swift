import ByteText
import HealthModel

/// The section about what is covered.
struct OverviewSection {
    let collection: ReportCollection
    let period: ReportPeriod

    private static let shownGaps = 10
    private static let shortestGap = 7

    var blocks: [ReportBlock] {
        let covered = collection.covered
        let all = covered.reduce(into: Set<Int>()) { $0.formUnion($1.days) }.filter { !period.isBefore($0) }
        guard let first = all.min(), let last = all.max() else { return [.text(Chart.emptyText + ".")] }
        let contents = collection.contents
        var facts: [(name: String, value: String)] = [
            ("from", CivilDate(daysSince1970: first).description),
            ("to", CivilDate(daysSince1970: last).description),
            ("days with data", "\(ChartNumber.count(all.count)) of \(ChartNumber.count(period.dayCount))"),
        ]
        facts += [
            ("samples in the source", ChartNumber.count(contents.types.reduce(0) { $0 + $1.count })),
            ("types in the source", ChartNumber.count(contents.types.count)),
        ]
        if let steps = collection.series.first(where: { $0.type == .stepCount })?.series {
            facts.append(("steps in total", ChartNumber.text(steps.total.rounded())))
        }
        var blocks: [ReportBlock] = [.facts(facts), coverage(covered)]
        blocks.append(.text("Sources: " + contents.sources.joined(separator: ", ") + "."))
        blocks += [period.loneNote, collection.laterThanExport].compactMap(\.self).map { .text($0) }
        let gaps = gaps(all.sorted())
        if !gaps.rows.isEmpty { blocks.append(.table(title: "Days on which nothing was recorded", gaps)) }
        return blocks
    }

    private func month(_ day: Int) -> Int {
        let date = CivilDate(daysSince1970: day)
        return date.year * 12 + date.month - 1
    }

    private func coverage(_ covered: [(section: ReportSection, days: Set<Int>)]) -> ReportBlock {
        let first = period.days.dayNumber(of: period.range.lowerBound)
        let last = period.days.dayNumber(of: max(period.range.lowerBound, period.range.upperBound - 1))
        let groups = covered.map { section, days in
            let counts = days.reduce(into: [Int: Int]()) { $0[month($1), default: 0] += 1 }
            return (name: section.shortTitle, shares: counts.mapValues { min(1, Double($0) / 28) })
        }
        var table = ReportTable("Section", "#Days with data", "@First", "@Last")
        for (section, days) in covered {
            let ends = [days.min(), days.max()].map { day in
                day.map { CivilDate(daysSince1970: $0).description } ?? ""
            }
            table.rows.append([section.title, ChartNumber.count(days.count), ends[0], ends[1]])
        }
        return .coverage(CoverageDrawing(groups: groups, months: month(first)...month(last)), table)
    }

    /// Returns the longest times in which no day has data.
    private func gaps(_ days: [Int]) -> ReportTable {
        let gaps = zip(days, days.dropFirst()).map { ($0 + 1, $1 - 1) }
            .filter { $0.1 - $0.0 + 1 >= Self.shortestGap }
            .sorted { ($1.1 - $1.0, $0.0) < ($0.1 - $0.0, $1.0) }.prefix(Self.shownGaps)
        var table = ReportTable("@From", "@To", "#Days")
        for (first, last) in gaps {
            table.rows.append(
                [
                    CivilDate(daysSince1970: first).description, CivilDate(daysSince1970: last).description,
                    ChartNumber.count(last - first + 1),
                ])
        }
        return table
    }
}

extension ReportCollection {
    /// The days with data of each section, as days since 1970-01-01.
    var covered: [(section: ReportSection, days: Set<Int>)] {
        var found: [ReportSection: Set<Int>] = [:]
        for (type, series) in series {
            let section = ReportTypes.section(of: type)
            for value in series.values { found[section, default: []].insert(Int(value.day)) }
        }
        for tally in tallies {
            found[ReportTypes.section(of: tally.type), default: []].formUnion(tally.days)
        }
        for night in nights { found[.sleep, default: []].insert(night.day) }
        for start in workouts.compactMap(\.start) {
            found[.workouts, default: []].insert(days.dayNumber(of: start.seconds))
        }
        return ReportSection.allCases.compactMap { section in
            found[section].map { (section, $0) }
        }
    }
}

extension ReportSection {
    /// The heading in a narrow place.
    var shortTitle: String {
        switch self {
        case .body: "Body"
        case .ecg: "ECG"
        case .clinical: "Clinical"
        case .records: "Records"
        case .sources: "Sources"
        default: title
        }
    }
}
