import ByteText
import ExportGenerator
import SampleBatches
import Synchronization
import Testing

@Suite("Batches with other spans")
struct BatchRegroupingTests {
    /// A batch of rows whose starts lie anywhere in ten years, now and then nowhere.
    private func batch(_ count: Int, _ random: inout SplitMix64) -> SampleBatch {
        let key = SampleBatch.Key(element: "Record", type: "t", span: "all", part: 1)
        var builder = SampleBatchBuilder(key: key)
        for position in 1...count {
            var reader = AttributeReader(element: "Record")
            if random.below(50) > 0 {
                let start = Timestamp(seconds: 1_400_000_000 + random.below(320_000_000), offsetMinutes: 0)
                var text: [UInt8] = []
                start.appendApple(to: &text)
                reader.add(name: "startDate", text: text)
            }
            reader.add(name: "value", text: Array("\(position)".utf8))
            let content = random.below(3) == 0 ? builder.number(ofContent: Array("{\"a\":1}".utf8)) : 0
            builder.append(
                RowHead(
                    context: builder.number(of: BatchContext(slots: reader.slots)), content: content,
                    position: position), start: reader.start, values: reader.values)
        }
        return builder.batch
    }

    private struct Result: Equatable {
        var spans: [String] = []
        /// The rows of each span.
        var positions: [String: Set<Int>] = [:]
        var identity = IdentitySum()
        var kept = 0
    }

    private func regroup(_ batch: SampleBatch, _ words: String, mostMemory: Int) throws -> Result {
        let kept = Mutex(0)
        let options = try #require(BatchOptions(parsing: words))
        var regrouping = BatchRegrouping(options, where: { _ in true }, mostMemory: mostMemory) { batch in
            kept.withLock { $0 += 1 }
            return batch
        }
        try regrouping.begin(element: "Record", type: "t")
        try regrouping.append(batch, lowest: batch.first)
        try regrouping.finish()
        var result = Result()
        for part in regrouping.removeReady() {
            let batch =
                switch part {
                case .batch(let batch), .waiting(let batch): batch
                }
            if result.spans.last != batch.key.span { result.spans.append(batch.key.span) }
            var last = 0
            batch.forEachBatchRow { row in
                // A part may have rows from before those of an earlier one, but its own ascend.
                #expect(row.head.position > last)
                last = row.head.position
                result.positions[batch.key.span, default: []].insert(last)
            }
            result.identity.add(batch.identitySum())
        }
        result.kept = kept.withLock { $0 }
        return result
    }

    // SECURITY.md: "those of an archive are read from it, and wait in such a file only where a program asks"
    @Test(
        "hold the same rows however little memory they may take",
        arguments: ["1month", "1year,100", "all", "1day"])
    func memory(_ words: String) throws {
        var random = SplitMix64(seed: 5)
        let batch = batch(3000, &random)
        let plenty = try regroup(batch, words, mostMemory: 1 << 30)
        #expect(plenty.kept == 0 && plenty.identity == batch.identitySum())
        #expect(plenty.spans.count == plenty.positions.count)
        #expect(plenty.positions.values.reduce(0) { $0 + $1.count } == 3000)
        for mostMemory in [1 << 10, 1 << 14, 1 << 16] {
            var little = try regroup(batch, words, mostMemory: mostMemory)
            // Parts of the only span wait for no other.
            #expect(little.kept > 0 || words == "all")
            little.kept = 0
            #expect(little == plenty)
        }
    }
}
