import ByteText
import DocumentTesting
import ExportGenerator
import FolderTesting
import HealthArchive
import HealthModel
import HealthStoreTesting
import SampleBatches
import Synchronization
import SystemIO
import Testing

@Suite("A store of samples")
struct HealthStoreTests {
    @Test("keeps the contract of HealthStore", arguments: StoreUnderTest.allCases)
    func conformance(_ kind: StoreUnderTest) async throws {
        let folder = try TemporaryFolder()
        #expect(try await StoreConformance(kind.open(in: folder.path)).problems() == [])
    }

    @Test("gives the same samples, whatever it is kept in")
    func agreement() async throws {
        let folder = try TemporaryFolder()
        var expected: [[Int: AnySample]] = []
        var first: StoreContents?
        var person = Characteristics([:])
        for kind in StoreUnderTest.allCases {
            let place: BytePath = "\(folder.path)/\(kind.rawValue)"
            try Folder.make(place)
            let store = try await kind.open(in: place)
            var problems: [String] = []
            var found: [[Int: AnySample]] = []
            for size in StoreConformance.batchSizes {
                found.append(
                    try await StoreConformance(store).samples(BatchQuery(batchSize: size), &problems))
            }
            #expect(problems == [])
            let contents = try await store.contents()
            if let first {
                #expect(found == expected, "\(kind)")
                #expect(contents.types == first.types && contents.sources == first.sources, "\(kind)")
                #expect(try await store.characteristics() == person, "\(kind)")
                #expect(contents.exportDate == first.exportDate, "\(kind)")
            }
            person = try await store.characteristics()
            #expect(!person.values.isEmpty && contents.exportDate != nil)
            (expected, first) = (found, contents)
        }
    }

    @Test("gives samples as the source has them")
    func decoding() async throws {
        let store = InMemoryStore(
            document: """
                <HealthData locale="de_DE">
                 <ExportDate value="2025-07-24 10:00:00 +0200"/>
                 <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-01-31"/>
                 <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Uhr &amp; Co" unit="count/min" \
                creationDate="2024-02-29 12:00:01 +0100" startDate="2024-02-29 12:00:00 +0100" \
                endDate="2024-02-29 12:00:05 +0100" value="61.50" device="&lt;&lt;HKDevice: 0x1a2b&gt;, name:x&gt;">
                  <MetadataEntry key="k" value="v"/>
                 </Record>
                 <Record type="HKQuantityTypeIdentifierHeartRate" startDate="yesterday" value="n/a"/>
                 <Workout workoutActivityType="HKWorkoutActivityTypeRunning" startDate="2024-03-01 00:00:00 +0100"/>
                </HealthData>
                """)
        let samples = try await store.samples(.heartRate).all()
        #expect(samples.count == 2)
        let sample = try #require(samples.first)
        #expect(sample.sampleType == .heartRate && sample.element == "Record" && sample.position == 3)
        #expect(sample["value"] == "61.50" && sample.value == 61.5 && sample.unit == .count / .minute)
        #expect(sample.sourceName == "Uhr & Co" && sample["device"] == "<<HKDevice: 0x1a2b>, name:x>")
        #expect(sample.device == Device(name: "x"))
        #expect(sample.startDate?.iso == "2024-02-29T12:00:00+01:00")
        #expect(sample.endDate?.seconds == sample.startDate.map { $0.seconds + 5 })
        #expect(sample.creationDate?.iso == "2024-02-29T12:00:01+01:00" && sample.sourceVersion == nil)
        #expect(sample.metadata == ["k": "v"])
        #expect(samples[1].startDate == nil && samples[1]["startDate"] == "yesterday")
        #expect(samples[1].value == nil && samples[1].metadata.entries.isEmpty)
        #expect(try await store.contents().types.map(\.type) == [.heartRate, .workout])
        let birth = try await store.characteristics().dateOfBirth
        #expect(birth == CivilDate(year: 1980, month: 1, day: 31))
    }

    @Test("names all sources, however many kinds of samples there are")
    func sourcesOfManyKinds() async throws {
        let kinds = (0..<20_100).map { "<Record type=\"T\($0)\" sourceName=\"\($0 / 7000)\"/>" }
        let text = "<HealthData>" + kinds.joined(separator: "\n") + "</HealthData>"
        let store = InMemoryStore(document: text)
        #expect(try await store.contents().sources == ["0", "1", "2"])
    }

    @Test("notices that its source has changed while being read")
    func change() async throws {
        let folder = try TemporaryFolder()
        let path = try GeneratedFiles.writeXML(StoreUnderTest.export, in: folder.path)
        let store = try ExportStore(path: path)
        _ = try await store.contents()
        let size = try FileStatus(at: path).size
        let file = try FileDescriptor(opening: path, .update)
        let digits = try file.bytes(at: 0, count: size)
        let place = try #require(digits.lastIndex(of: UInt8(ascii: "7")))
        try file.write(Array("8".utf8).span, at: place)
        await #expect(throws: VaultError.self) {
            for try await _ in store.batches(BatchQuery()) {}
        }
    }

    @Test("says how much of its source each pass has read")
    func progress() async throws {
        let folder = try TemporaryFolder()
        let path = try GeneratedFiles.writeXML(StoreUnderTest.export, in: folder.path)
        let found = Mutex([VaultProgress]())
        let store = try ExportStore(path: path) { progress in found.withLock { $0.append(progress) } }
        let size = try FileStatus(at: path).size
        for isSamples in [false, true] {
            if isSamples {
                for try await _ in store.batches(BatchQuery()) {}
            } else {
                _ = try await store.contents()
            }
            let pass = found.withLock { found in
                defer { found = [] }
                return found
            }
            #expect(pass.map(\.done) == pass.map(\.done).sorted() && pass.last?.done == size)
            #expect(pass.allSatisfy { $0.total == size && $0.subject == "export.xml" })
        }
    }

    @Test("reports a batch that cannot be read after those before it", arguments: [0, 1, 2, 5])
    func damage(number: Int) async throws {
        let folder = try TemporaryFolder()
        let store = try await StoreUnderTest.plainFolder.open(in: folder.path)
        let types = try await store.contents().types.map(\.type)
        var spans: [SampleBatch.Key] = []
        for try await batch in store.spans(SpanRequest(types: types)) { spans.append(batch.key) }
        let damaged = try #require(spans.indices.contains(number) ? spans[number] : nil)
        let path = EntryPath.batch(damaged) + ".ndjson"
        let file = try FileDescriptor(opening: folder.path + "/archive/" + path, .update)
        try file.write(Array("#".utf8).span, at: 0)
        var found: [SampleBatch.Key] = []
        await #expect(throws: VaultError.self) {
            for try await batch in store.spans(SpanRequest(types: types)) { found.append(batch.key) }
        }
        #expect(found == Array(spans[..<number]))
    }

    @Test("cannot be made of standard input, which is read only once")
    func standardInput() {
        #expect(throws: VaultError(.readableOnce)) { try ExportStore(path: "-") }
    }
}
