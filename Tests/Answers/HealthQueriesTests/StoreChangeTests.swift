import HealthModel
import HealthQueries
import HealthStoreTesting
import SampleBatches
import Testing

@Suite("Changes of a whole store")
struct StoreChangeTests {
    private static func document(_ values: [Int: Int]) -> TestDocument {
        var document = TestDocument()
        for (hour, value) in values.sorted(by: { $0.key < $1.key }) {
            document.add("\(value)", from: TestDocument.june + hour * 3600)
        }
        return document
    }

    @Test(
        "come page by page until a page is empty, and are those of a set difference",
        arguments: [nil, 1, 2, 7, 100])
    func pages(limit: Int?) async throws {
        var dice = Dice(7)
        var values: [Int: Int] = [:]
        for _ in 0..<40 {
            values[Int.random(in: 0..<5000, using: &dice)] = Int.random(in: 1...9, using: &dice)
        }
        var later = values
        for hour in values.keys.sorted().prefix(6) { later[hour] = nil }
        for hour in values.keys.sorted().suffix(4) { later[hour] = (later[hour] ?? 0) + 10 }
        for hour in 6000..<6010 { later[hour] = 1 }
        let (old, new) = (Self.document(values).store, Self.document(later).store)
        var anchor = try await StoreAnchor(old, named: "old.zip")
        var (deleted, added): ([SampleID], [SampleID]) = ([], [])
        while true {
            // An anchor survives as text.
            anchor = try #require(StoreAnchor(anchor.description))
            let page = try await new.changes(since: anchor, in: old, named: "a:b.zip", limit: limit)
            if let limit { #expect(page.deleted.count + page.added.count <= limit) }
            anchor = page.anchor
            if page.isEmpty { break }
            deleted += page.deleted.map(\.id)
            added += page.added.map(\.id)
            for sample in page.added + page.deleted { #expect(sample.id == sample.sample.id) }
        }
        #expect(anchor.name == "a:b.zip")
        #expect(anchor.page == nil)
        #expect(try await anchor.matches(new))
        let (inOld, inNew) = (try await ids(old), try await ids(new))
        #expect(deleted.count == 10 && Set(deleted) == inOld.subtracting(inNew))
        #expect(added.count == 14 && Set(added) == inNew.subtracting(inOld))
    }

    private func ids(_ store: InMemoryStore) async throws -> Set<SampleID> {
        Set(try await store.samples(.stepCount).all().map(\.id))
    }

    @Test("are told by the sums of spans, whatever their lengths; without any, nothing is read")
    func sums() throws {
        func sum(_ span: String, _ identities: [UInt128], _ starts: ClosedRange<Int>? = nil) -> SpanSum {
            var sum = IdentitySum()
            for identity in identities { sum.add(identity) }
            let key = SampleBatch.Key(
                element: "Record", type: AnySampleType.stepCount.identifier, span: span, part: 0)
            return starts.map { SpanSum(key, sum, first: $0.lowerBound, last: $0.upperBound) }
                ?? SpanSum(key, sum)
        }
        let months = [sum("2024-01", [1]), sum("2024-05", [2, 3]), sum("2025-02", [4]), sum("undated", [9])]
        let (january, may) = (1_704_100_000, 1_715_000_000)
        let year = sum("2024", [3, 2, 1], january...may)
        let same = StoreDifference(from: months, to: [year, sum("2025-02", [4]), sum("undated", [9])])
        #expect(same.parts.map(\.isSame) == [true, true, true] && same.places().isEmpty)
        let other = StoreDifference(from: months, to: [year, sum("2025-02", [5])])
        #expect(other.places().types == [.stepCount])
        #expect(other.parts.filter { !$0.isSame }.flatMap(\.spans) == ["2025-02", "undated"])
        #expect(other.parts.filter(\.isOneSided).flatMap(\.spans) == ["undated"])
        for (span, isIn) in [("2024-01", false), ("2025-02", true), ("2025-03", false), ("undated", true)] {
            let key = SampleBatch.Key(
                element: "Record", type: AnySampleType.stepCount.identifier, span: span, part: 0)
            #expect(other.places().contains(key) == isIn)
        }
        // A name that is not understood may be of any time.
        let odd = StoreDifference(from: [sum("20240", [1])], to: [sum("2024-01", [1]), sum("2025-02", [])])
        #expect(odd.parts.count == 1 && odd.places().isEmpty)
        // A span of which a part is missing is read.
        let torn = SpanSum(type: year.type, nil, first: january, last: may)
        #expect(!StoreDifference(from: [year], to: [torn]).places().isEmpty)
    }

    @Test("an anchor of another store is refused, and a text that is no anchor")
    func mismatches() async throws {
        let stores = [[1: 1], [1: 2], [1: 3]].map { Self.document($0).store }
        let anchor = try await StoreAnchor(stores[0], named: "first")
        await #expect(throws: StoreAnchorError.otherStore(name: "first")) {
            try await stores[1].changes(since: anchor, in: stores[2], named: "")
        }
        let page = try await stores[1].changes(since: anchor, in: stores[0], named: "", limit: 1).anchor
        await #expect(throws: StoreAnchorError.otherPage) {
            try await stores[2].changes(since: page, in: stores[0], named: "")
        }
        for text in [
            "", "anchor:1:", "anchor:1:00:x", "anchor:1:\(anchor.fingerprint)",
            "anchor:2:\(anchor.fingerprint):x",
        ] {
            #expect(StoreAnchor(text) == nil)
        }
    }
}
