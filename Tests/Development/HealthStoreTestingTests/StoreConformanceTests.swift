import ByteText
import ExportGenerator
import HealthModel
import HealthStoreTesting
import SampleBatches
import Testing

@Suite("The check of stores")
struct StoreConformanceTests {
    static let small: GeneratedExport = {
        var options = GeneratedExport.Options()
        options.xmlBytes = 12_000
        options.sideFiles = .none
        return GeneratedExport(options)
    }()

    /// A store that changes what another one gives.
    private struct Wrapper: HealthStore {
        var base: any HealthStore = InMemoryStore(small)
        var batches: @Sendable (_ number: Int, SampleBatch) -> [SampleBatch] = { [$1] }
        var contents: @Sendable (inout StoreContents) -> Void = { _ in }

        @concurrent func contents() async throws -> StoreContents {
            var contents = try await base.contents()
            self.contents(&contents)
            return contents
        }

        @concurrent func fingerprint() async throws -> StoreFingerprint { try await base.fingerprint() }

        func batches(_ query: BatchQuery) -> BatchSequence {
            BatchSequence { Source(base: base.batches(query).makeAsyncIterator(), change: batches) }
        }

        private struct Source: BatchSequence.Source {
            var base: BatchSequence.Iterator
            let change: @Sendable (Int, SampleBatch) -> [SampleBatch]
            var ready: [SampleBatch] = []
            var number = 0

            @concurrent mutating func next() async throws -> SampleBatch? {
                while ready.isEmpty {
                    guard let batch = try await base.next() else { return nil }
                    ready = change(number, batch)
                    number += 1
                }
                return ready.removeFirst()
            }
        }
    }

    /// A store that plans in a task of its own, which does not notice that the one that asks was cancelled.
    private struct DeafStore: HealthStore {
        let base = InMemoryStore(small)

        func contents() async throws -> StoreContents { try await base.contents() }
        func fingerprint() async throws -> StoreFingerprint { try await base.fingerprint() }
        func batches(_ query: BatchQuery) -> BatchSequence { base.batches(query) }

        func plan(_ query: BatchQuery) async throws -> [PlannedBatch] {
            try await Task.detached { try await base.plan(query) }.value
        }
    }

    @Test("notices a store that works on for a cancelled task")
    func cancellation() async throws {
        #expect(try await StoreConformance(DeafStore()).problems() == ["a cancelled task reads on"])
    }

    @Test("finds nothing wrong with a store that only passes on")
    func transparent() async throws { #expect(try await StoreConformance(Wrapper()).problems() == []) }

    @Test("notices a batch that is left out, given twice, or numbered wrongly")
    func batches() async throws {
        let changes: [@Sendable (Int, SampleBatch) -> [SampleBatch]] = [
            { $0 == 3 ? [] : [$1] },
            { $0 == 3 ? [$1, $1] : [$1] },
            { number, batch in
                var batch = batch
                if number == 3 { batch.key.part += 1 }
                return [batch]
            },
            { number, batch in
                var batch = batch
                if number == 3 { batch.key.span = "1999-01" }
                return [batch]
            },
        ]
        for change in changes {
            #expect(try await !StoreConformance(Wrapper(batches: change)).problems().isEmpty)
        }
    }

    @Test("notices contents that are not those of the batches")
    func contents() async throws {
        let changes: [@Sendable (inout StoreContents) -> Void] = [
            { $0.types[0].count += 1 }, { $0.types.reverse() }, { $0.types.removeAll() },
            { $0.types[0].last = Timestamp(seconds: 1, offsetMinutes: 0) },
            { $0.fingerprint = StoreFingerprint(["options": "others"]) },
        ]
        for change in changes {
            #expect(try await !StoreConformance(Wrapper(contents: change)).problems().isEmpty)
        }
    }
}
