package import ByteText
package import HealthModel
package import HealthQueries
import SystemIO
import Tables
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
        let object = QueryTable.table(type, .source, time).object
        for (change, samples) in [("deleted", deleted), ("added", added)] {
            try Console.print(
                jsonLines: samples.lazy.map { sample in
                    Array("{\"change\":\"\(change)\",".utf8) + object(sample.sample).json.dropFirst()
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
        let count: (Int) -> String = { Quantities.count($0).text }
        var table = Table(
            nil, counts.sorted { $0.key.title < $1.key.title },
            [
                TableColumn("type") { $0.key.title }, TableColumn("added", shown: count) { $0.value.added },
                TableColumn("deleted", shown: count) { $0.value.deleted },
            ])
        table.hasTitles = !counts.isEmpty
        table.notes = [
            "\(Quantities.count(total.added)) added, \(Quantities.count(total.deleted)) deleted",
            "anchor: \(anchor.description)",
        ]
        try ReportOptions().print(table)
    }
}
