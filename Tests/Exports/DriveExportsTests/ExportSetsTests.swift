import SystemIO
import Testing

@testable import DriveExports

@Suite("Exports that are kept")
struct ExportSetsTests {
    /// A record of an export with an identity, which continues another one or none.
    private func record(
        _ identity: String, continuing other: String? = nil, _ result: HistoryRecord.Result = .done,
        exported: Int? = nil
    ) -> HistoryRecord {
        var record = HistoryRecord(began: 0, destination: "stick", format: "encrypted", result: result)
        record.exported = exported
        record.identity = identity
        record.path = "/x/\(identity)"
        record.continues = other
        return record
    }

    /// Returns what would be removed, in that order, once the last record was written.
    private func surplus(
        _ records: [HistoryRecord], keeping count: Int, after last: HistoryRecord? = nil
    ) -> [String] {
        ExportSets(numbered(records)).surplus(keeping: count, after: last ?? records.last)
            .flatMap { $0.members.reversed() }.compactMap(\.identity)
    }

    /// Gives records the numbers that the history gives them.
    private func numbered(_ records: [HistoryRecord]) -> [HistoryRecord] {
        records.enumerated().map { number, record in
            var record = record
            record.sequence = number + 1
            return record
        }
    }

    @Test("are those of the newest exports, whatever the order of the runs, and the one just written")
    func dates() {
        let (old, middle, new) = (
            record("old", exported: 1), record("middle", exported: 2), record("new", exported: 3)
        )
        #expect(surplus([new, middle, old], keeping: 1, after: old) == ["middle"])
        #expect(surplus([new, old, middle], keeping: 1, after: middle) == ["old"])
        #expect(surplus([old, new, middle], keeping: 2, after: middle) == ["old"])
        let link = record("link", continuing: "old", exported: 4)
        #expect(surplus([new, old, middle, link], keeping: 1, after: link) == ["middle", "new"])
        let unknown = record("unknown")
        #expect(surplus([old, unknown], keeping: 1, after: unknown) == [])
    }

    @Test("are not those that a wrong clock has dated, unless all are")
    func wrongClocks() {
        let year2099 = 4_070_908_800
        let wrong = record("wrong", exported: year2099)
        let (old, new) = (record("old", exported: 1), record("new", exported: 2))
        #expect(surplus([wrong, old, new], keeping: 1) == ["wrong", "old"])
        #expect(surplus([old, new, wrong], keeping: 1) == ["old"])
        let later = record("later", exported: year2099 + 1)
        #expect(surplus([later, wrong], keeping: 1, after: later) == ["wrong"])
    }

    @Test("are the same if records occur twice")
    func doubled() {
        let records = numbered([record("a"), record("b"), record("b2", continuing: "b")])
        let merged = ExportSets(records + records).surplus(keeping: 1, after: records[2])
        #expect(merged.flatMap(\.members).map(\.identity) == ["a"])
    }

    @Test("are counted as full exports with their links, and removed from the newest link on")
    func links() {
        let records = [
            record("a"), record("a2", continuing: "a"), record("a3", continuing: "a2"), record("b"),
            record("b2", continuing: "b"), record("c"),
        ]
        #expect(surplus(records, keeping: 3) == [])
        #expect(surplus(records, keeping: 2) == ["a3", "a2", "a"])
        #expect(surplus(records, keeping: 1) == ["a3", "a2", "a", "b2", "b"])
        #expect(surplus(records, keeping: 0) == surplus(records, keeping: 1), "the last one always stays")
    }

    @Test("what is not verified is neither counted nor removed")
    func failures() {
        let records = [record("a"), record("b", .failed), record("c"), record("d", .failed)]
        #expect(surplus(records, keeping: 1) == ["a"])
        #expect(surplus(records, keeping: 2) == [])
        // A set with a link that failed is left alone as a whole.
        let mixed = [record("a"), record("a2", continuing: "a", .failed), record("b"), record("c")]
        #expect(surplus(mixed, keeping: 1) == ["b"])
    }

    @Test("those without a file, and removed ones, do not count")
    func others() {
        var pruned = record("a")
        pruned.isPruned = true
        let nothing = HistoryRecord(
            began: 0, destination: "stick", format: "encrypted", result: .nothingNew)
        #expect(surplus([pruned, record("b"), nothing, record("c")], keeping: 1) == ["b"])
    }

    @Test("a link of which nobody knows what it continues protects everything that is older")
    func orphans() {
        // A process was killed, or another computer made the link.
        let link = record("c2", continuing: "unknown")
        #expect(surplus([record("a"), record("b"), link], keeping: 1) == [])
        #expect(surplus([record("a"), link, record("d"), record("e")], keeping: 1) == ["d"])
        let unverified = record("c2", continuing: "unknown", .unverified)
        #expect(surplus([record("a"), record("b"), unverified], keeping: 1) == [])
        // The link of a set that was not verified keeps it.
        let waiting = record("a2", continuing: "a", .unverified)
        #expect(surplus([record("a"), waiting, record("b"), record("c")], keeping: 1) == ["b"])
    }

    @Test("the last complete one stays beside newer ones that lack something")
    func incomplete() {
        let lacking = [record("a"), record("b"), record("c", .incomplete), record("d", .incomplete)]
        #expect(surplus(lacking, keeping: 1) == ["a", "c"])
        #expect(surplus(lacking, keeping: 2) == ["a"])
        #expect(surplus(lacking + [record("e")], keeping: 1) == ["a", "b", "c", "d"])
    }

    @Test("for any history, nothing that is kept continues something that is removed")
    func property() {
        var dice = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            var records: [HistoryRecord] = []
            for number in 0..<Int.random(in: 0..<30, using: &dice) {
                let isLink = Bool.random(using: &dice)
                let predecessor = isLink ? records.randomElement(using: &dice)?.identity : nil
                let result = HistoryRecord.Result.allCases.randomElement(using: &dice) ?? .done
                records.append(record("r\(number)", continuing: predecessor, result))
            }
            let count = Int.random(in: 1...4, using: &dice)
            let removed = surplus(records, keeping: count)
            let kept = numbered(records).filter { record in !removed.contains(record.identity ?? "") }
            #expect(kept.allSatisfy { !removed.contains($0.continues ?? "") })
            let good = ExportSets(numbered(records)).sets.filter(\.isGood)
            let left = ExportSets(kept).sets.filter(\.isGood)
            #expect(left.count >= min(good.count, count))
            #expect(left.contains(where: \.isComplete) == good.contains(where: \.isComplete))
        }
    }
}
