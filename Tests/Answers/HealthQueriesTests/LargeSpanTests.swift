import ByteText
import HealthStoreTesting
import SampleBatches
import Testing

@testable import HealthModel

@Suite("A span of very many samples")
struct LargeSpanTests {
    /// A store with one span of small parts, which it can read again.
    private struct OneSpanStore: HealthStore {
        let store: InMemoryStore

        @concurrent func contents() async throws -> StoreContents { try await store.contents() }
        @concurrent func fingerprint() async throws -> StoreFingerprint { try await store.fingerprint() }
        func batches(_ query: BatchQuery) -> BatchSequence { store.batches(query) }
        func spans(_ request: SpanRequest) -> BatchSequence {
            let size = BatchOptions(span: .every(.all)).limited(toRows: 7)
            return store.batches(BatchQuery(types: request.types, batchSize: size))
        }
        func spanAgain(_ span: SampleBatch.Key, starts: ClosedRange<Int>?) -> BatchSequence? {
            spans(SpanRequest(types: [.stepCount]))
        }
    }

    /// Samples in any order, many of which start at the same time or are copies of others.
    private static func store(_ dice: inout Dice) -> OneSpanStore {
        var document = TestDocument()
        for _ in 0..<400 {
            let start = TestDocument.june + Int.random(in: 0..<100, using: &dice) * 3600
            document.add("\(Int.random(in: 1...2, using: &dice))", from: start)
        }
        return OneSpanStore(store: document.store)
    }

    private static func samples(
        _ store: OneSpanStore, _ order: SampleOrder, limit: Int?, _ sizes: LargeSpan.Sizes
    ) async throws -> (ids: [SampleID], positions: [Int], windows: Int) {
        let selection = RowSelection(
            range: .ever, predicate: .value(.equal, asWritten: 1), matching: .startInside, lookback: 0,
            order: order, limit: limit, days: nil, needsContent: false)
        let request = SpanRequest(
            types: [.stepCount], isNewestFirst: order == .newestFirst)
        var pass = QueryPass(store, request, selection, sizes: sizes)
        var found: (ids: [SampleID], positions: [Int], windows: Int) = ([], [], 0)
        while let storage = try await pass.next() {
            let samples = Samples<QuantitySample>(storage)
            found.ids += samples.map(\.id)
            found.positions += samples.map(\.position)
            found.windows += 1
        }
        return found
    }

    // SECURITY.md: "Of a larger span they keep about 2^18 at a time"
    @Test(
        "is read in windows, and has the same samples as one that is kept in memory",
        arguments: [SampleOrder.oldestFirst, .newestFirst], 0..<6)
    func windows(order: SampleOrder, seed: Int) async throws {
        var dice = Dice(UInt64(seed))
        let store = Self.store(&dice)
        for limit in [nil, 60] {
            let whole = try await Self.samples(store, order, limit: limit, LargeSpan.Sizes())
            #expect(whole.windows == 1)
            for rows in [20, 50, 200] {
                let sizes = LargeSpan.Sizes(mostRows: rows, windowRows: rows, distance: 5)
                let found = try await Self.samples(store, order, limit: limit, sizes)
                #expect(found.positions == whole.positions)
                #expect(found.ids == whole.ids)
                #expect(found.windows > 1 || limit != nil)
            }
            let long = LargeSpan.Sizes(mostRows: 2000, windowRows: 500, distance: 5, rowBytes: 8)
            let found = try await Self.samples(store, order, limit: limit, long)
            #expect(found.positions == whole.positions, "rows with long texts count as several")
            #expect(found.windows > 1 || limit != nil)
            let all = LargeSpan.Sizes(mostRows: 400, windowRows: 20, distance: 5, rowBytes: .max)
            #expect(try await Self.samples(store, order, limit: limit, all).windows == 1)
        }
    }
}
