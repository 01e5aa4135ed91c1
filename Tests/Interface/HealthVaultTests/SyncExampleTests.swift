import FolderTesting
import HealthModel
import HealthStoreTesting
import HealthVault
import SystemIO
import Testing

@Suite("Examples of synchronisation")
struct SyncExampleTests {
    struct Reading: ExternalObject {
        let id: SampleID
        var beats: Double?

        init?(_ sample: IdentifiedSample, converter: (any SampleConverter)?) {
            id = sample.id
            update(with: sample, converter: converter)
        }

        init?(deleted id: SampleID, converter: (any SampleConverter)?) { self.id = id }

        mutating func update(with sample: IdentifiedSample, converter: (any SampleConverter)?) {
            beats = sample.sample.row.number("value")
        }
    }

    actor Ward: ExternalStore {
        private(set) var readings: [SampleID: Reading] = [:]

        func fetch(_ objects: [Reading]) -> [Reading]? { objects.compactMap { readings[$0.id] } }
        func add(_ objects: [Reading]) { for object in objects { readings[object.id] = object } }
        func update(_ objects: [Reading]) { for object in objects { readings[object.id] = object } }
        func delete(_ objects: [Reading]) { for object in objects { readings[object.id] = nil } }
    }

    struct Printer: CollectionHandler {
        func handleDeletedObjects(_ deleted: [SampleID], of type: AnySampleType) async throws {}
        func handleNewSamples(_ added: [IdentifiedSample], of type: AnySampleType) async throws {
            #expect(!added.isEmpty)
        }
    }

    private static func document(_ values: Range<Int>) -> String {
        let records = values.map { value in
            let time = "2024-02-29 12:\(value < 10 ? "0" : "")\(value):00 +0100"
            return """
                <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" value="\(60 + value)" \
                startDate="\(time)" endDate="\(time)"/>
                """
        }
        return "<HealthData locale=\"en_GB\">\n\(records.joined(separator: "\n"))\n</HealthData>\n"
    }

    @Test("a store of one's own")
    func own() async throws {
        let store = InMemoryStore(document: Self.document(0..<9))
        let ward = Ward()
        let manager = SyncManager()
        manager.add([.heartRate], to: ward, anchors: MemoryAnchors())
        try await manager.synchronize(with: store)
        #expect(await ward.readings.values.compactMap(\.beats).sorted() == (60..<69).map(Double.init))
    }

    @Test("a database")
    func database() async throws {
        let folder = try TemporaryFolder()
        let export = try folder.file("export.xml", Array(Self.document(0..<9).utf8))
        let database = folder.path / "health.db"
        let manager = SyncManager(batchSize: 1000)
        manager.add([.heartRate, .stepCount], to: try DatabaseTarget(sqlite: database))
        let report = try await manager.synchronize(with: ExportStore(path: export))
        print(report.total.added, "new,", report.total.deleted, "gone")
        #expect(report.total.added == 9)
    }

    @Test("a collector")
    func collector() async throws {
        let (handler, anchors, store) = (
            Printer(), MemoryAnchors(), InMemoryStore(document: Self.document(0..<9))
        )
        let start = Timestamp(seconds: 0, offsetMinutes: 0)
        let collector = HealthCollector(handler, anchors: anchors)
        collector.register([
            CollectSamples(.heartRate, continueInBackground: true, timeRange: .startingAt(start)),
            CollectSamples(.stepCount, start: .manual), CollectSamples(.stepCount),
        ])
        try await collector.collect(from: store)
        collector.triggerDataSourceCollection()
        #expect(collector.definitions.count == 2)
    }

    @Test("changes")
    func changes() async throws {
        let older = InMemoryStore(document: Self.document(0..<9))
        let newer = InMemoryStore(document: Self.document(3..<29))
        var anchor = try await StoreAnchor(older, named: "older.zip")
        while true {
            let page = try await newer.changes(since: anchor, in: older, named: "newer.zip", limit: 1000)
            if page.isEmpty { break }
            print(page.added.count, "new,", page.deleted.count, "gone")
            anchor = page.anchor
        }
        #expect(anchor.name == "newer.zip")
    }
}
