import ByteText
package import HealthQueries
package import SystemIO
import Wording

/// The output of `analytics init` and `analytics update`.
package struct AnalyticsUpdateOutput {
    private let update: AnalyticsUpdate
    private let path: BytePath
    private let zone: String

    package init(_ update: AnalyticsUpdate, _ path: BytePath, zone: String) {
        self.update = update
        self.path = path
        self.zone = zone
    }

    package var lines: [TerminalText] {
        guard !update.isUnchanged else {
            return ["\(path): no missing data, this source was processed before"]
        }
        var lines: [TerminalText] = [
            "\(path): \(Quantities.count(update.days, "day")) with data, days in \(zone)",
            "changed rows: \(TerminalText.joined(changes, separator: ", "))",
        ]
        if update.skipped > 0 {
            let count = Quantities.count(update.skipped, "sample")
            lines.append(
                """
                warning: \(count) without a start or a convertible unit, or of more than a year (sleep: a day), not counted
                """
            )
        }
        return lines
    }

    private var changes: [TerminalText] {
        AnalyticsPeriod.allCases.map { Quantities.count(update.changedRows[$0] ?? 0, $0.rawValue) }
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            writer.member("zone", zone)
            writer.member("unchanged", update.isUnchanged)
            writer.member("days", update.days)
            writer.member("skipped", update.skipped)
            writer.key("changedRows")
            writer.object { writer in
                for period in AnalyticsPeriod.allCases {
                    writer.member(period.rawValue, update.changedRows[period] ?? 0)
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
