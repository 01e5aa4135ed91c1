import ByteText
import ExportGenerator
import HealthModel
import SampleBatches
import Testing

@Suite("Identifiers of samples")
struct SampleIDTests {
    private static let attributes = [
        ("type", "HKQuantityTypeIdentifierHeartRate"), ("sourceName", "Watch"), ("sourceVersion", "10.1"),
        ("device", "<<HKDevice: 0x1a2b>, name:Apple Watch, hardware:Watch6,2>"), ("unit", "count/min"),
        ("creationDate", "2024-03-07 10:05:00 +0100"), ("startDate", "2024-03-07 10:00:00 +0100"),
        ("endDate", "2024-03-07 10:01:00 +0100"), ("value", "61.5"),
    ]

    /// Returns the identifier of a sample, with another text for an attribute or without it.
    private func id(changing name: String = "", to text: String? = nil, metadata: [String] = ["1"])
        -> SampleID
    {
        var attributes: [(String, String)] = []
        for attribute in Self.attributes {
            if attribute.0 != name {
                attributes.append(attribute)
            } else if let text {
                attributes.append((name, text))
            }
        }
        let entries = metadata.map {
            TestRows.element("MetadataEntry", [("key", "HKWasUserEntered"), ("value", $0)])
        }
        return SampleRow(TestRows.element("Record", attributes, children: entries)).id
    }

    @Test("are the same for samples that say the same")
    func equal() {
        #expect(id() == id() && id().hashValue == id().hashValue && id().ordinal == 0)
        #expect(id().type == .heartRate && id().description.utf8.count == 32)
    }

    @Test(
        "are the same whatever changes from one export to the next",
        arguments: [
            ("creationDate", "2025-05-07 10:05:00 +0100"), ("creationDate", "yesterday"),
            ("creationDate", nil),
            ("sourceVersion", "17.4"), ("sourceVersion", nil),
            ("device", "<<HKDevice: 0x7f00aabbcc>, name:Apple Watch, hardware:Watch6,2>"),
            (
                "device",
                "<<HKDevice: 0x1>, name:Apple Watch, creation date:2026-01-15 22:56:09 +0000, "
                    + "hardware:Watch6,2>"
            ),
            ("startDate", "2024-03-07 09:00:00 +0000"), ("endDate", "2024-03-06 19:31:00 -1330"),
        ] as [(String, String?)])
    func unchanged(name: String, text: String?) { #expect(id(changing: name, to: text) == id()) }

    @Test("differ where samples say something else")
    func different() {
        let changes: [(String, [String?])] = [
            ("type", ["HKQuantityTypeIdentifierRestingHeartRate"]), ("sourceName", ["Phone", "", nil]),
            ("unit", ["count/s", nil]), ("value", ["61.6", "-61.5", "n/a", "", nil]),
            ("startDate", ["2024-03-07 09:59:59 +0100", "2024-03-07 10:00:00 +0000", "today", nil]),
            ("endDate", ["2024-03-07 10:01:01 +0100", "2024-03-07 10:01:00 +0000", nil]),
            ("device", ["<<HKDevice: 0x1a2b>, name:Apple Watch, hardware:Watch7,1>", "", nil]),
        ]
        var ids = [id(), id(metadata: []), id(metadata: ["0"]), id(metadata: ["1", "1"])]
        for (name, texts) in changes { ids += texts.map { id(changing: name, to: $0) } }
        #expect(Set(ids).count == ids.count)
        #expect(Set(ids.map(\.identity)).count == ids.count && Set(ids.map(\.description)).count == ids.count)
    }

    @Test("of samples that were made do not depend on when they were recorded")
    func made() {
        let start = Timestamp(seconds: 1_709_802_000, offsetMinutes: 60)
        let sameStart = Timestamp(seconds: 1_709_802_000, offsetMinutes: -300)
        func sample(
            _ value: Double = 61.5, at start: Timestamp, in version: String? = nil, created: Timestamp? = nil
        ) -> QuantitySample {
            QuantitySample(
                .bodyMass, Quantity(value, .gram(.kilo)), start: start,
                source: Source(name: "Scales", version: version), creationDate: created)
        }
        let first = sample(at: start).id
        #expect(sample(at: start, in: "2.0", created: start).id == first && sample(at: sameStart).id == first)
        #expect(sample(62, at: start).id != first && sample(-61.5, at: start).id != first)
    }

    /// Some samples with few starts and values, so that many say the same.
    private func elements(_ random: inout SplitMix64, count: Int) -> [ElementNode] {
        (0..<count).map { _ in
            let start = "2024-03-07 10:0\(random.below(3)):00 +0100"
            return TestRows.element(
                "Record",
                [
                    ("type", "HKQuantityTypeIdentifierHeartRate"), ("unit", "count/min"),
                    ("startDate", start), ("endDate", start), ("value", "\(61 + random.below(2))"),
                ])
        }
    }

    @Test("count the samples before that say the same", arguments: 1..<6)
    func ordinals(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let pair = [
            TestRows.element("Record", Self.attributes),
            TestRows.element("Record", Self.attributes.map { $0.0 == "value" ? ("value", "62") : $0 }),
        ]
        let ids = TestRows.batch((0..<count).flatMap { _ in pair }).samples.map(\.id)
        #expect(ids.map(\.ordinal) == (0..<(2 * count)).map { $0 / 2 })
        #expect(Set(ids.map(\.identity)).count == 2 && Set(ids).count == ids.count)
        for id in ids where id.ordinal > 0 {
            #expect(id.description == "\(ids[id.identity == ids[0].identity ? 0 : 1])-\(id.ordinal + 1)")
        }
        let shuffled = ids.shuffled(using: &random)
        #expect(shuffled.sorted() == ids.sorted())
    }

    @Test("are distinct in the order of the source, where equal samples are far apart", arguments: 0..<8)
    func sourceOrder(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let ids = TestRows.batch(elements(&random, count: 40)).samples.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test("are the same in every order, and when only some samples are asked for", arguments: 0..<8)
    func queries(seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        let store = BatchStore(batch: TestRows.batch(elements(&random, count: 40)))
        let type = SampleType<QuantitySample>.heartRate
        let all = try await store.samples(type).all()
        let ids = Dictionary(uniqueKeysWithValues: all.map { ($0.position, $0.id) })
        #expect(ids.count == 40 && Set(ids.values).count == 40)
        for order in SampleOrder.allCases {
            for limit in [1, 2, 3, 7, 20, 39, 40] {
                let found = try await store.samples(type, sortedBy: order, limit: limit).all()
                #expect(found.count == limit)
                #expect(found.allSatisfy { ids[$0.position] == $0.id }, "\(order) \(limit)")
            }
        }
    }
}
