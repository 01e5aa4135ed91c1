import ByteSpans
package import CivilTime
package import HealthModel
package import HealthQueries
import JSONText
import SystemIO
import Wording

/// A printer for the changes between two stores: JSON lines as they come, or a table of counts at the end.
package struct ChangeOutput {
    private let json: Bool
    private let time: LocalTime
    private var counts: [AnySampleType: (added: Int, deleted: Int)] = [:]

    package init(json: Bool, _ days: Days) {
        self.json = json
        time = LocalTime(days: days)
    }

    /// Prints or counts changes of one type, deletions first.
    package mutating func print(
        _ type: AnySampleType, deleted: [IdentifiedSample], added: [IdentifiedSample]
    ) throws {
        counts[type, default: (0, 0)].added += added.count
        counts[type, default: (0, 0)].deleted += deleted.count
        guard json else { return }
        let fields = SampleFields(type: type, units: .source, time: time)
        for (change, samples) in [("deleted", deleted), ("added", added)] {
            try Console.print(
                jsonLines: samples.lazy.map { sample in
                    Array("{\"change\":\"\(change)\",".utf8) + fields.json(sample.sample).dropFirst()
                })
        }
    }

    /// Prints the counts and the anchor.
    package func finish(_ anchor: StoreAnchor) throws {
        let total = (added: counts.values.total { $0.added }, deleted: counts.values.total { $0.deleted })
        guard !json else {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("added", total.added)
                writer.member("deleted", total.deleted)
                writer.member("anchor", anchor.description)
            }
            return try Console.print(jsonLines: [writer.bytes])
        }
        var table = TextTable([.left, .right, .right])
        let rows: [[TerminalText]] = counts.sorted { $0.key.title < $1.key.title }.map { type, count in
            [
                TerminalText(escaping: type.title), Quantities.count(count.added),
                Quantities.count(count.deleted),
            ]
        }
        if !rows.isEmpty { try Console.print(.lines(table.lines([["type", "added", "deleted"]] + rows))) }
        try Console.print(
            "\(Quantities.count(total.added)) added, \(Quantities.count(total.deleted)) deleted")
        try Console.print("anchor: \(TerminalText(escaping: anchor.description))")
    }
}
