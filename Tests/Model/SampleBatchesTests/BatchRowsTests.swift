import CivilTime
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
        let values: [UInt8]

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
            values = reader.values.bytes
        }
    }

    private let sources = (0..<300).map(Source.init)
    private static let key = SampleBatch.Key(element: "Record", type: "", span: "all", part: 1)

    private func batch(_ sources: [Source]) -> SampleBatch {
        var builder = SampleBatchBuilder(key: Self.key)
        for source in sources {
            let head = head(of: source, in: &builder)
            builder.append(head, start: source.start, values: source.values.span)
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
            case .instant(let seconds, _): line += " \(slot):\(seconds)"
            }
        } endRow: { _ in
            lines.append(line)
        }
        return lines
    }

    @Test("come out packed as they went in, and start when they did")
    func packed() {
        let batch = batch(sources)
        var number = 0
        batch.forEachBatchRow { row in
            let source = sources[number]
            #expect(batch.packedValues(of: row) == source.values)
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

    @Test("are the same where their values stand in the batch's text already")
    func packedInText() {
        let text = sources.flatMap(\.values)
        var builder = SampleBatchBuilder(key: Self.key, text: text)
        var place = 0
        var rows: [(head: RowHead, place: Int)] = []
        for source in sources {
            rows.append((head(of: source, in: &builder), place))
            place += source.values.count
        }
        builder.append(rows)
        #expect(visits(builder.batch) == visits(batch(sources)))
        var number = 0
        builder.batch.forEachBatchRow { row in
            #expect(builder.batch.packedValues(of: row) == sources[number].values)
            number += 1
        }
        #expect(number == sources.count)
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
