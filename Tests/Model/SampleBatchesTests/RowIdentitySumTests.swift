import ExportGenerator
import SampleBatches
import Testing

@Suite("Sums of identities")
struct RowIdentitySumTests {
    /// The attributes and the content of a row.
    private struct Source {
        var attributes: [(name: String, text: String)] = []
        var content: [ElementNode.Child] = []
    }

    private static let values: [String: [String]] = [
        "type": ["HKQuantityTypeIdentifierStepCount"], "sourceName": ["Watch", "Phone", "’\"\\"],
        "sourceVersion": ["10.1", "17.4"], "unit": ["count", "count/min"],
        "device": [
            "<<HKDevice: 0x1a2b>, name:Watch>", "<<HKDevice: 0x3c>, name:Watch>",
            "<<HKDevice: >, name:Watch>",
            "<<HKDevice: 0x1>, name:Phone, creation date:2026-01-15 22:56:09 +0000>", "",
        ],
        "creationDate": ["2024-03-07 10:05:00 +0100", "2024-03-08 10:05:00 -0500", "yesterday"],
        "startDate": ["2024-03-07 10:00:00 +0100", "1969-12-31 23:59:59 +0000", "today"],
        "endDate": ["2024-03-07 10:01:00 +0100", "2024-03-07 09:00:00 +0000", ""],
        "value": ["1", "61.50", "n/a", ""], "other": ["", "x"],
    ]
    private static let names = [
        "type", "sourceName", "sourceVersion", "device", "unit", "creationDate", "startDate", "endDate",
        "value",
        "other",
    ]

    /// A row with some attributes, now and then in another order, and with some content.
    private static func source(_ random: inout SplitMix64) -> Source {
        var source = Source()
        for name in names where random.below(5) > 0 {
            source.attributes.append((name, random.pick(from: values[name] ?? [""])))
        }
        if random.below(4) == 0 { source.attributes.reverse() }
        for _ in 0..<max(0, random.below(5) - 2) {
            var entry = ElementNode(name: random.pick(from: ["MetadataEntry", "Record", "x"]))
            for name in ["key", "value", "startDate", "creationDate", "device"] where random.below(2) == 0 {
                let text = random.pick(from: values[name] ?? ["HKTimeZone", "HKWasUserEntered"])
                entry.attributes.append(ElementNode.Attribute(name, Array(text.utf8)))
            }
            source.content.append(.element(entry))
        }
        return source
    }

    private static func sources(_ seed: Int, count: Int) -> [Source] {
        var random = SplitMix64(seed: UInt64(seed))
        return (0..<count).map { _ in source(&random) }
    }

    private func batch(_ sources: [Source], element: String = "Record") -> SampleBatch {
        let key = SampleBatch.Key(element: element, type: "", span: "all", part: 1)
        var builder = SampleBatchBuilder(key: key)
        for (number, source) in sources.enumerated() {
            var reader = AttributeReader(element: element)
            for (name, text) in source.attributes { reader.add(name: name, text: Array(text.utf8)) }
            let context = builder.number(of: BatchContext(slots: reader.slots))
            let json = ContentWriter.json(of: source.content)?.json
            let content = json.map { builder.number(ofContent: $0) } ?? 0
            builder.append(
                RowHead(context: context, content: content, position: 7 * number + 1), start: reader.start,
                values: reader.values)
        }
        return builder.batch
    }

    private func identities(_ batch: SampleBatch) -> [UInt128] {
        let identities = RowIdentities(batch)
        var found: [UInt128] = []
        batch.forEachPlace { row in
            found.append(identities.identity(at: row.cell))
        }
        return found
    }

    private func sum(_ identities: [UInt128]) -> IdentitySum {
        var sum = IdentitySum()
        for identity in identities { sum.add(identity) }
        return sum
    }

    @Test("add up to the sum of their batch", arguments: 0..<20)
    func sums(seed: Int) {
        let sources = Self.sources(seed, count: 20 * seed)
        let batch = batch(sources)
        let identities = identities(batch)
        #expect(identities.count == sources.count && sum(identities) == batch.identitySum())
        guard seed > 2 else { return }
        #expect(batch.contexts.count > 5 && batch.contents.count > 3)
        #expect(Set(identities).count > 5)
    }

    @Test("are the same in every batch of the same element", arguments: 1..<8)
    func alone(seed: Int) {
        let sources = Self.sources(seed, count: 60)
        let found = identities(batch(sources))
        for (number, source) in sources.enumerated() {
            #expect(identities(batch([source])) == [found[number]])
        }
        #expect(identities(batch(sources.reversed())) == found.reversed())
        let other = identities(batch(sources, element: "Correlation"))
        #expect(zip(other, found).allSatisfy { $0 != $1 })
    }

    @Test("add up over the parts of a batch", arguments: 1..<8)
    func parts(step: Int) {
        let sources = Self.sources(step, count: 90)
        let whole = batch(sources).identitySum()
        var added = IdentitySum()
        for start in stride(from: 0, to: sources.count, by: 10 * step) {
            added.add(batch(Array(sources[start..<min(start + 10 * step, sources.count)])).identitySum())
        }
        #expect(added == whole && sum(identities(batch(sources))) == whole)
    }

    @Test("are the same where the rows were taken from another batch", arguments: 1..<6)
    func taken(step: Int) {
        let whole = batch(Self.sources(step, count: 90))
        let found = identities(whole)
        var builder = SampleBatchBuilder(rowsOf: whole)
        var expected: [UInt128] = []
        var number = 0
        whole.forEachBatchRow { row in
            defer { number += 1 }
            guard number % step == 0 else { return }
            expected.append(found[number])
            let content =
                row.head.content == 0 ? 0 : builder.number(ofContent: whole.contents[row.head.content - 1])
            let head = RowHead(
                context: builder.number(of: whole.contexts[row.head.context]), content: content,
                position: row.head.position)
            builder.append(head, row)
        }
        #expect(identities(builder.batch) == expected)
        #expect(sum(expected) == builder.batch.identitySum())
    }

    /// Rows with the same columns, of several devices, with a value of a certain length in one of them.
    @Test("of many rows with the same columns add up", arguments: [1, 2, 63, 64, 65, 127, 128, 129, 200])
    func alike(count: Int) {
        for length in [1, 7, 8, 9, 511, 512, 513, 5000] {
            var sources = (0..<count).map { number in
                Source(attributes: [
                    ("device", "<<HKDevice: 0x\(number / 7)>, name:\(number % 3 == 0 ? "Watch" : "Phone")>"),
                    ("startDate", "2024-03-07 10:\(10 + number % 40):00 +0\(number % 2)00"),
                    ("value", String(repeating: "7", count: 1 + number % 20)),
                ])
            }
            sources[count * 2 / 3].attributes[2].text = String(repeating: "8", count: length)
            let batch = batch(sources)
            #expect(batch.count == count && sum(identities(batch)) == batch.identitySum())
        }
    }

    @Test("of rows that say the same are the same, and count as often as they occur")
    func duplicates() {
        let source = Self.sources(3, count: 1)[0]
        let identities = identities(batch([source, source, source]))
        #expect(identities.count == 3 && Set(identities).count == 1)
        #expect(sum(identities) == batch([source, source, source]).identitySum())
        #expect(sum(identities) != batch([source, source]).identitySum())
    }
}
