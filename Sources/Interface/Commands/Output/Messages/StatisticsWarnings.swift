import HealthModel
package import HealthQueries
package import SystemIO
import Wording

extension StatisticsResult {
    /// The warnings about what was not counted, and sources that are not there.
    package var warnings: [TerminalText] { omissions + Self.warnings(ofAbsent: absentSources) }

    /// The warnings about what was not counted.
    var omissions: [TerminalText] {
        var omissions = Self.warnings(ofUndated: undated)
        omissions += Self.warnings(ofOverlong: overlong, than: "a year")
        if skipped > undated + overlong {
            let count = Quantities.count(skipped - undated - overlong, "sample")
            omissions.append("\(count) without a convertible unit not counted")
        }
        return omissions
    }

    /// What all samples lack, such as a date, if there are any and none is counted; nil if there are none, or some are counted.
    package var lacking: TerminalText? {
        guard skipped > 0, intervals.isEmpty else { return nil }
        if skipped > undated + overlong { return "in a convertible unit" }
        return overlong > 0 ? "of at most a year" : "with a date"
    }

    /// The names with a priority that no source has.
    var absentSources: [String] {
        guard case .priority(let names) = query.merge else { return [] }
        return names.filter { name in !sources.contains { name.reads(like: $0) } }
    }

    /// The warnings about samples without a start.
    static func warnings(ofUndated count: Int) -> [TerminalText] {
        count == 0 ? [] : ["\(Quantities.count(count, "sample")) without a date not counted"]
    }

    /// The warnings about samples that last too long to count.
    package static func warnings(ofOverlong count: Int, than limit: String) -> [TerminalText] {
        count == 0 ? [] : ["\(Quantities.count(count, "sample")) of more than \(limit) not counted"]
    }

    static func warnings(ofAbsent names: [String]) -> [TerminalText] {
        names.isEmpty ? [] : ["no such source: \(TerminalText.list(names))"]
    }
}

extension CategoryStatistics {
    /// The warnings about samples that do not count.
    package var warnings: [TerminalText] {
        StatisticsResult.warnings(ofUndated: undated)
            + StatisticsResult.warnings(ofOverlong: overlong, than: "a year")
    }
}

extension SleepTimes {
    /// The warnings about samples that do not count.
    package var warnings: [TerminalText] { StatisticsResult.warnings(ofOverlong: overlong, than: "a day") }

    /// The note on another time zone that most samples name.
    package var hints: [TerminalText] {
        elsewhere.map { ["\($0.description): --tz \($0.zone) shows the hours there"] } ?? []
    }
}

extension [StatisticsResult] {
    /// The warnings about what was not counted of each quantity, and sources that none of them has.
    package var warnings: [TerminalText] {
        let omissions = flatMap { result in
            result.omissions.map { omission in
                count == 1 ? omission : "\(result.query.type.title): \(omission)"
            }
        }
        let absent = (first?.absentSources ?? []).filter { name in
            allSatisfy { $0.absentSources.contains(name) }
        }
        return omissions + StatisticsResult.warnings(ofAbsent: absent)
    }
}
