import ByteText
import SampleBatches
import Testing

@Suite("The rows of a batch")
struct BatchRowsTests {
    /// A row as it comes from a source.
    private struct Source {
        let context: BatchContext
        let content: [UInt8]?
        let position: Int
        let start: Timestamp?
        let values: RowValues

        init(_ number: Int) {
            var reader = AttributeReader(element: 3...4 ~= number % 7 ? "ActivitySummary" : "Record")
            let clock = "10:\(10 + number % 50):00 +0200"
            switch number % 7 {
            case 0, 1: reader.add(name: "type", text: Array("HKQuantityTypeIdentifierStepCount".utf8))
            case 2:
                reader.add(name: "creationDate", text: Array("2023-05-14 \(clock)".utf8))
                reader.add(name: "startDate", text: Array("2023-05-1\(number % 10) \(clock)".utf8))
                reader.add(name: "value", text: Array("\(number).5".utf8))
                reader.add(name: "endDate", text: Array("1969-12-31 \(clock)".utf8))
            case 3: reader.add(name: "dateComponents", text: Array("2023-02-1\(number % 10)".utf8))
            case 4:
                // The first one is the one that counts.
                reader.add(name: "dateComponents", text: Array("no day".utf8))
                reader.add(name: "dateComponents", text: Array("2023-02-14".utf8))
            default:
                reader.add(name: "device", text: Array("<<HKDevice: 0x\(number)>, name:a>".utf8))
                reader.add(name: "value", text: Array("\"\(number)\"".utf8))
            }
            context = BatchContext(slots: reader.slots)
            content = number % 3 == 0 ? nil : Array("{\"metadata\":{\"a\":\"\(number % 5)\"}}".utf8)
            position = 3 * number
            start = reader.start
            values = reader.values
        }
    }

    private let sources = (0..<300).map(Source.init)
    private static let key = SampleBatch.Key(element: "Record", type: "", span: "all", part: 1)

    private func batch(_ sources: [Source]) -> SampleBatch {
        var builder = SampleBatchBuilder(key: Self.key)
        for source in sources {
            let head = head(of: source, in: &builder)
            builder.append(head, start: source.start, values: source.values)
        }
        return builder.batch
    }

    private func head(of source: Source, in builder: inout SampleBatchBuilder) -> RowHead {
        RowHead(
            context: builder.number(of: source.context),
            content: source.content.map { builder.number(ofContent: $0) } ?? 0, position: source.position)
    }

    /// All that a visitor sees.
    private func visits(_ batch: SampleBatch) -> [String] {
        var lines: [String] = []
        var line = ""
        batch.forEachRow { row in
            line = "\(row.position) \(batch.contexts[row.context].json) "
            line += row.content == 0 ? "-" : "\(batch.contents[row.content - 1])"
        } value: { _, slot, value, text in
            switch value {
            case .token(let range): line += " \(slot):\(range.map { text[$0] })"
            case .instant(let seconds): line += " \(slot):\(seconds)"
            }
        } endRow: { _ in
            lines.append(line)
        }
        return lines
    }

    @Test("come out as they went in, and start when they did")
    func values() {
        let batch = batch(sources)
        var number = 0
        batch.forEachBatchRow { row in
            let source = sources[number]
            #expect(batch.valuesSize(of: row) == source.values.size)
            #expect(row.start == source.start)
            #expect(row.head.position == source.position)
            #expect(batch.contexts[row.head.context].json == source.context.json)
            #expect((row.head.content == 0 ? nil : batch.contents[row.head.content - 1]) == source.content)
            number += 1
        }
        #expect(number == sources.count)
        #expect(batch.first == sources.compactMap(\.start).min { $0.seconds < $1.seconds })
        #expect(batch.last == sources.compactMap(\.start).max { $0.seconds < $1.seconds })
    }

    @Test("have the same identities, counts and starts as columns")
    func columns() throws {
        let batch = batch(sources)
        let columns = ColumnBatch(batch)
        #expect(columns.identity == batch.identitySum())
        #expect(columns.contents.map(\.json) == batch.contents)
        #expect(columns.contexts.map(\.json) == batch.contexts.map(\.json))
        #expect(columns.first == batch.first && columns.last == batch.last)
        #expect(columns.firstPosition == 0 && columns.lastPosition == 3 * (sources.count - 1))
        #expect(columns.recordedZones() == batch.recordedZones())
    }

    @Test("are repeated in another batch of rows", arguments: 1..<9)
    func copied(step: Int) {
        let whole = batch(sources)
        var builder = SampleBatchBuilder(key: Self.key)
        var number = 0
        whole.forEachBatchRow { row in
            if number % step == 0 { builder.append(row, of: whole) }
            number += 1
        }
        let expected = batch(stride(from: 0, to: sources.count, by: step).map { sources[$0] })
        #expect(visits(builder.batch) == visits(expected))
    }

    @Test("are taken into another batch, without what the others point to", arguments: 1..<9)
    func taken(step: Int) {
        let whole = batch(sources)
        var builder = SampleBatchBuilder(rowsOf: whole)
        var number = 0
        whole.forEachBatchRow { row in
            defer { number += 1 }
            guard number % step == 0 else { return }
            builder.append(head(of: sources[number], in: &builder), row)
        }
        let expected = batch(stride(from: 0, to: sources.count, by: step).map { sources[$0] })
        #expect(visits(builder.batch) == visits(expected))
        #expect(builder.batch.identitySum() == expected.identitySum())
        #expect(builder.batch.contexts.map(\.json) == expected.contexts.map(\.json))
        #expect(builder.batch.contents == expected.contents)
        #expect(builder.batch.first == expected.first && builder.batch.last == expected.last)
    }

    @Test(
        "have texts in places of any length below the limit",
        arguments: [0, 1, 255, 1 << 16, TokenPlace.limit - 1])
    func places(length: Int) {
        for start in [0, 1, 1 << 20, TokenPlace.limit - 1 - length] where start + length < TokenPlace.limit {
            let range = start..<(start + length)
            #expect(TokenPlace(code: TokenPlace(range).code).range == range)
        }
    }
}
