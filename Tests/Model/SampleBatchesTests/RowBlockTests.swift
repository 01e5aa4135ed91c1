import ByteText
import ExportGenerator
import Testing

@testable import SampleBatches

@Suite("Rows in blocks")
struct RowBlockTests {
    private static let context = BatchContext(slots: [
        .constant(name: "type", text: Array("\"t\"".utf8)),
        .enclosed(name: "device", before: Array("a".utf8), after: Array("b".utf8)),
        .time(name: "creationDate", offsetMinutes: 60), .time(name: "startDate", offsetMinutes: 60),
        .time(name: "endDate", offsetMinutes: 0), .text(name: "value"), .text(name: "note"),
    ])

    /// Rows with tokens of all lengths around a word's, and contents in any order.
    private func rows(_ count: Int, _ random: inout SplitMix64) -> (rows: RowBlock, text: [UInt8]) {
        var rows = RowBlock(columns: 6)
        var text: [UInt8] = []
        for row in 0..<count {
            func token(_ length: Int) -> Int {
                let start = text.count
                for _ in 0..<length { text.append(UInt8(random.below(26)) + UInt8(ascii: "a")) }
                return TokenPlace(start..<text.count).code
            }
            let start = 1_600_000_000 + random.below(1000)
            let values = [
                token(random.below(3) + 1), start + 5, -5, random.below(100), token(random.below(20)),
                token(random.pick(from: [0, 7, 8, 9, 3, 3, 3, 1000])),
            ]
            rows.cells[row] = start
            rows.cells[RowBlock.contentCell(of: row)] = random.below(3)
            for (column, value) in values.enumerated() {
                rows.cells[(RowBlock.headColumns + column) * RowBlock.most + row] = value
            }
        }
        rows.startOffset = 60
        rows.count = count
        return (rows, text)
    }

    /// Writes blocks into columns, so many rows at a time.
    private func columns(_ blocks: [(rows: RowBlock, text: [UInt8])], step: Int) -> ColumnBatch {
        var columns = BatchColumns(element: "Record")
        var messages = IdentityMessages()
        let context = columns.add(Self.context)
        let contents = [0, "{\"a\":1}", "{\"b\":2}"].map { content in
            (content as? String).map { columns.add(content: HashedBytes(Array($0.utf8))) } ?? 0
        }
        var position = 1
        for (rows, text) in blocks {
            for start in stride(from: 0, to: rows.count, by: step) {
                let part = start..<min(start + step, rows.count)
                columns.append(
                    part, of: rows, context: context, contents: contents, position: position, text.span,
                    &messages)
                position += part.count
            }
        }
        let key = SampleBatch.Key(element: "Record", type: "t", span: "all", part: 1)
        return columns.removeAll(key: key)
    }

    @Test(
        "become the same columns with the same identities, however many are written at once",
        arguments: 0..<10)
    func sizes(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let blocks = [1, 2, 3, 5, 63, RowBlock.most].map { rows($0, &random) }
        let single = columns(blocks, step: 1)
        #expect(single.count == 1 + 2 + 3 + 5 + 63 + RowBlock.most)
        for step in [2, 3, 4, 7, 64] {
            let other = columns(blocks, step: step)
            #expect(other.identity == single.identity && other.first == single.first)
            #expect(other.last == single.last && other.lastPosition == single.lastPosition)
            for column in 0..<single.columns.count {
                var (mine, theirs): ([UInt8], [UInt8]) = ([], [])
                single.columns.append(column, to: &mine)
                other.columns.append(column, to: &theirs)
                #expect(mine == theirs)
            }
        }
        #expect(single.columns.length > 0)
    }
}
