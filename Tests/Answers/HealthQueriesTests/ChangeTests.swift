import ByteText
import FoundationEssentials
import HealthModel
import HealthQueries
import HealthStoreTesting
import Synchronization
import Testing

@Suite("Changes since an anchor")
struct ChangeTests {
    private struct Item: Hashable {
        let start: Int
        let value: Int
    }

    private static func store(_ items: [Item]) -> InMemoryStore {
        var document = TestDocument()
        for item in items { document.add("\(item.value)", from: TestDocument.june + item.start) }
        return document.store
    }

    private static func item(_ sample: QuantitySample) -> Item {
        Item(
            start: (sample.startDate?.seconds ?? 0) - TestDocument.june, value: Int(sample.value ?? 0))
    }

    private static func counts(_ items: [Item]) -> [Item: Int] {
        items.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// All changes, a page at a time.
    private static func pages(
        _ new: InMemoryStore, _ anchor: StoreAnchor, _ old: InMemoryStore?, limit: Int?
    ) async throws -> (added: [Item], deleted: [Item], anchor: StoreAnchor) {
        var (added, deleted): ([Item], [Item]) = ([], [])
        var anchor = anchor
        for _ in 0..<10_000 {
            let page = try await new.changes(of: .stepCount, since: anchor, in: old, limit: limit)
            if let limit { #expect(page.added.count + page.deleted.count <= limit) }
            anchor = page.anchor
            if page.isEmpty { break }
            added += page.added.map(item)
            deleted += page.deleted.map(item)
        }
        return (added, deleted, anchor)
    }

    @Test("are those between the two stores, each once, whatever the size of a page", arguments: 0..<8)
    func differences(seed: Int) async throws {
        var dice = Dice(UInt64(seed))
        var old: [Item] = []
        for _ in 0..<60 {
            let item = Item(
                start: Int.random(in: 0..<100 * 86400, using: &dice),
                value: Int.random(in: 1...9, using: &dice))
            old.append(item)
            // Exact duplicates are legal, and count.
            if Int.random(in: 0..<10, using: &dice) == 0 { old.append(item) }
        }
        var new = old.shuffled(using: &dice)
        new.removeFirst(Int.random(in: 0...20, using: &dice))
        for _ in 0..<Int.random(in: 0...20, using: &dice) {
            new.append(
                Item(
                    start: Int.random(in: -30 * 86400..<130 * 86400, using: &dice),
                    value: Int.random(in: 1...9, using: &dice)))
        }
        let (before, after) = (Self.store(old), Self.store(new))
        let (mine, theirs) = (Self.counts(old), Self.counts(new))
        var expected: (added: [Item: Int], deleted: [Item: Int]) = ([:], [:])
        for item in Set(old).union(new) {
            let change = (theirs[item] ?? 0) - (mine[item] ?? 0)
            if change > 0 { expected.added[item] = change }
            if change < 0 { expected.deleted[item] = -change }
        }
        for limit in [nil, 1, 2, 7, 1000] {
            let first = try await Self.pages(before, StoreAnchor(), nil, limit: limit)
            #expect(Self.counts(first.added) == mine && first.deleted.isEmpty)
            let second = try await Self.pages(after, first.anchor, before, limit: limit)
            #expect(Self.counts(second.added) == expected.added)
            #expect(Self.counts(second.deleted) == expected.deleted)
            let third = try await Self.pages(after, second.anchor, after, limit: limit)
            #expect(third.added.isEmpty && third.deleted.isEmpty && third.anchor == second.anchor)
        }
    }

    @Test("are only spans where the older store is not there")
    func withoutOlder() async throws {
        let before = Self.store([Item(start: 0, value: 1), Item(start: 40 * 86400, value: 2)])
        let after = Self.store([
            Item(start: 0, value: 1), Item(start: 40 * 86400, value: 3), Item(start: 70 * 86400, value: 4),
        ])
        let anchor = try await Self.pages(before, StoreAnchor(), nil, limit: nil).anchor
        let changes = try await after.changes(of: .stepCount, since: anchor)
        #expect(changes.changedSpans == ["2024-07"])
        // Nothing of the month was known, so that all of it is new.
        #expect(changes.added.map(Self.item) == [Item(start: 70 * 86400, value: 4)])
        #expect(try await after.changes(of: .stepCount, since: changes.anchor).isEmpty)
    }

    @Test("are refused for another type, and with another older store")
    func refusals() async throws {
        let before = Self.store([Item(start: 0, value: 1)])
        let other = Self.store([Item(start: 5, value: 1)])
        let anchor = try await Self.pages(before, StoreAnchor(), nil, limit: nil).anchor
        await #expect(throws: StoreAnchorError.otherType(.heartRate)) {
            try await before.changes(of: .heartRate, since: anchor)
        }
        let after = Self.store([Item(start: 9, value: 1)])
        await #expect(throws: StoreAnchorError.otherStore(name: "")) {
            try await after.changes(of: .stepCount, since: anchor, in: other)
        }
    }

    @Test("of a store that is opened anew come whenever it has changed")
    func updates() async throws {
        let stores = [Self.store([Item(start: 0, value: 1)]), Self.store([Item(start: 0, value: 2)])]
        let updates = StoreUpdates(every: .milliseconds(1)) { [counter = Counter()] in
            // The same store three times, then the other one.
            stores[min(1, counter.next() / 3)]
        }
        var values: [[Double?]] = []
        for try await samples in updates.continuousQuery(SampleQuery(.stepCount)) {
            values.append(samples.map(\.value))
            if values.count == 2 { break }
        }
        #expect(values == [[1], [2]])
    }

    @Test("of a store that is opened anew change its statistics")
    func statistics() async throws {
        let stores = [Self.store([Item(start: 0, value: 1)]), Self.store([Item(start: 0, value: 2)])]
        let updates = StoreUpdates(every: .milliseconds(1)) { [counter = Counter()] in
            stores[min(1, counter.next() / 3)]
        }
        var sums: [Double?] = []
        for try await result in updates.continuousStatisticsQuery(StatisticsQuery(.stepCount, days: .utc)) {
            sums.append(result.intervals.first?.sum)
            if sums.count == 2 { break }
        }
        #expect(sums == [1, 2])
    }
}

@Suite("Changes of samples that have only a day")
struct DayChangeTests {
    private static func store(_ days: [String]) -> InMemoryStore {
        let summaries = days.map { "<ActivitySummary dateComponents=\"\($0)\" activeEnergyBurned=\"1\"/>" }
        let text = """
            <HealthData locale="en_GB">
            <ExportDate value="2024-07-01 12:00:00 +0900"/>
            \(summaries.joined(separator: "\n"))
            </HealthData>
            """
        return InMemoryStore(document: text, fingerprint: StoreFingerprint(["days": "\(days)"]))
    }

    private static func days(_ samples: [ActivitySummary]) -> [String] {
        samples.map { $0["dateComponents"] ?? "" }
    }

    @Test("are found on the first day of a month, whatever the zone")
    func summaries() async throws {
        let old = Self.store(["2024-05-01", "2024-05-31"])
        let first = try await old.changes(of: .activitySummary)
        #expect(Self.days(first.added) == ["2024-05-01", "2024-05-31"])
        let new = Self.store(["2024-05-01", "2024-06-01"])
        let changes = try await new.changes(of: .activitySummary, since: first.anchor, in: old)
        #expect(Self.days(changes.added) == ["2024-06-01"])
        #expect(Self.days(changes.deleted) == ["2024-05-31"])
        #expect(try await new.changes(of: .activitySummary, since: changes.anchor).isEmpty)
    }
}

@Suite("A stored anchor")
struct StoredAnchorTests {
    @Test("is the same again, whether stored as JSON or as a property list")
    func encoders() async throws {
        var document = TestDocument()
        for step in 0..<5 { document.add("\(step)", from: TestDocument.june + step * 60) }
        let anchor = try await document.store.changes(of: .stepCount).anchor
        let json = try JSONDecoder().decode(StoreAnchor.self, from: JSONEncoder().encode(anchor))
        let list = try PropertyListDecoder().decode(
            StoreAnchor.self, from: PropertyListEncoder().encode(anchor))
        #expect(json == anchor && list == anchor && anchor != StoreAnchor())
        #expect(try await document.store.changes(of: .stepCount, since: list).isEmpty)
    }

    @Test(
        "returns everything of the month again where it is damaged, and never ends the program",
        arguments: [-1, Int.min, Int.max])
    func returned(_ number: Int) async throws {
        var document = TestDocument()
        for step in 0..<5 { document.add("\(step)", from: TestDocument.june + step * 60) }
        let store = document.store
        let page = try await store.changes(of: .stepCount, limit: 2)
        let text = String(decoding: try JSONEncoder().encode(page.anchor), as: UTF8.self)
        let damaged = text.replacing("\"returned\":2", with: "\"returned\":\(number)")
        #expect(damaged != text)
        let anchor = try JSONDecoder().decode(StoreAnchor.self, from: Data(damaged.utf8))
        let next = try await store.changes(of: .stepCount, since: anchor)
        #expect(next.added.count == (number < 0 ? 5 : 0))
    }
}

/// Counts calls from any task.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count - 1
        }
    }
}
