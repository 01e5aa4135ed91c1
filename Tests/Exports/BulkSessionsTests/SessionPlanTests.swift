import BulkSessions
import ByteText
import FolderTesting
import HealthArchive
import HealthExport
import HealthModel
import HealthStoreTesting
import SampleBatches
import SystemIO
import Testing

@Suite("The batches of a session")
struct SessionPlanTests {
    private func instant(_ text: String) throws -> Timestamp {
        let bytes = Array((text.utf8.count == 10 ? text + "T00:00:00+00:00" : text).utf8)
        let time = Timestamp(iso: bytes.span)
        return try #require(time)
    }

    /// A document with a heart rate at each of these instants, and one step count.
    private func store(_ starts: [String], exportDate: String = "2025-07-24 00:00:00 +0000") -> InMemoryStore
    {
        let records = starts.map {
            """
             <Record type="HKQuantityTypeIdentifierHeartRate" unit="count/min" startDate="\($0)" \
            endDate="\($0)" value="61"/>
            """
        }
        let document =
            "<HealthData locale=\"en_US\">\n <ExportDate value=\"\(exportDate)\"/>\n"
            + records.joined(separator: "\n")
            + "\n <Record type=\"HKQuantityTypeIdentifierStepCount\" startDate=\"2025-03-01 00:00:00 +0000\"/>\n"
            + "</HealthData>\n"
        return InMemoryStore(document: document, fingerprint: StoreFingerprint(["records": "\(starts)"]))
    }

    /// A sample in the middle of each month from August 2024 to July 2025.
    private static let monthly =
        (8...12).map { "2024-\($0 < 10 ? "0" : "")\($0)-15 12:00:00 +0000" }
        + (1...7).map { "2025-0\($0)-15 12:00:00 +0000" }

    private func session(
        _ store: InMemoryStore, _ folder: borrowing TemporaryFolder, _ types: [AnySampleType] = [.heartRate],
        startDate: ExportSessionStartDate = .oldestSample, endDate: Timestamp? = nil,
        batchSize: ExportSessionBatchSize = .automatic
    ) async throws -> BulkExportSession<IdentityBatchProcessor> {
        try await BulkHealthExporter(store, stateFolder: StateFolder(folder.path)).session(
            withId: .test, for: types, startDate: startDate, endDate: endDate, batchSize: batchSize,
            using: .identity)
    }

    @Test("of the last months are those months, cut to the session's range")
    func lastMonths() async throws {
        let folder = try TemporaryFolder()
        let starts = Self.monthly + ["2025-01-25 00:00:00 +0000"]
        let session = try await session(store(starts), folder, startDate: .last(numMonths: 6))
        let ranges = session.pendingBatches.compactMap(\.timeRange).sorted { $0.lowerBound < $1.lowerBound }
        #expect(ranges.count == 7)
        #expect(try ranges.first == instant("2025-01-24").seconds..<instant("2025-02-01").seconds)
        #expect(try ranges.last == instant("2025-07-01").seconds..<instant("2025-07-24").seconds)
    }

    @Test("are not there where there are no samples")
    func noEmptyBatches() async throws {
        let folder = try TemporaryFolder()
        let session = try await session(
            store(["2014-01-01 00:00:00 +0000", "2025-01-01 00:00:00 +0000"]), folder,
            [.heartRate, .bodyMass])
        #expect(session.numTotalBatches == 2)
    }

    @Test("hold a sample that crosses the end of its span, once")
    func crossing() async throws {
        let folder = try TemporaryFolder()
        let document = """
            <HealthData>
             <Record type="HKCategoryTypeIdentifierSleepAnalysis" startDate="2025-01-31 22:00:00 +0000" \
            endDate="2025-02-01 06:30:00 +0000" value="x"/>
             <Record type="HKCategoryTypeIdentifierSleepAnalysis" startDate="2025-02-01 00:00:00 +0000" \
            endDate="2025-02-01 06:30:00 +0000" value="x"/>
            </HealthData>
            """
        let store = InMemoryStore(document: document)
        let session = try await session(store, folder, [.sleepAnalysis], batchSize: .byMonth)
        let outputs = try await session.start().all()
        #expect(outputs.map { $0.first?.startDate?.iso.prefix(7) } == ["2025-01", "2025-02"])
        #expect(outputs.flatMap { $0.map(\.position) } == [1, 2])
    }

    @Test("end with the cut-off, which is that of the session's creation")
    func cutOff() async throws {
        let folder = try TemporaryFolder()
        let at = "2025-07-24 00:00:00 +0000"
        let before = "2025-07-23 23:59:59 +0000"
        let session = try await session(store([before, at]), folder)
        #expect(session.pendingBatches.map(\.count) == [1])
        let explicit = try await BulkHealthExporter(
            store([before, at]), stateFolder: StateFolder(folder.path)
        ).session(
            withId: BulkExportSessionIdentifier("later"), for: [.heartRate],
            endDate: instant("2025-07-24T00:00:01+00:00"), using: .identity)
        #expect(explicit.pendingBatches.map(\.count) == [2])
    }

    @Test("need an end behind their start")
    func startAfterEnd() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: SessionError.startAfterEnd) {
            _ = try await session(
                store(Self.monthly), folder, startDate: .absolute(instant("2025-07-24T00:00:01+00:00")))
        }
        #expect(try TemporaryFolder.contents(of: folder.path).isEmpty)
        let atTheEnd = try await session(
            store(Self.monthly), folder, startDate: .absolute(instant("2025-07-24")))
        #expect(atTheEnd.numTotalBatches == 0)
    }

    @Test("are counted back by the calendar")
    func distances() throws {
        let end = try instant("2025-02-11T10:20:30+00:00")
        typealias Distance = ExportSessionStartDate.CalendarDistance
        for (distance, expected) in [
            (Distance(days: 4), "2025-02-07"), (Distance(weeks: 1), "2025-02-04"),
            (Distance(months: 2), "2024-12-11"), (Distance(years: 3), "2022-02-11"),
            (Distance(years: 2, months: 4), "2022-10-11"), (Distance(), "2025-02-11"),
        ] {
            #expect(try distance.before(end) == instant(expected + "T10:20:30+00:00"), "\(distance)")
        }
        // A month without such a day ends with its last one.
        #expect(try Distance(months: 1).before(instant("2024-03-31")) == instant("2024-02-29"))
        #expect(try Distance(years: 1).before(instant("2024-02-29")) == instant("2023-02-28"))
    }

    @Test("have words for people")
    func words() async throws {
        let folder = try TemporaryFolder()
        let starts = ["2024-03-05 12:00:00 +0000"]
        for (number, size) in [BatchOptions.byMonth, .byYear, .calendarComponent(.week)].enumerated() {
            let session = try await BulkHealthExporter(store(starts), stateFolder: StateFolder(folder.path))
                .session(
                    withId: BulkExportSessionIdentifier("\(number)"), for: [.heartRate], batchSize: size,
                    using: .identity)
            #expect(
                session.pendingBatches.map(\.userDisplayedDescription) == [
                    [
                        "Heart Rate (March 2024)", "Heart Rate (2024)",
                        "Heart Rate (2024-03-04 to 2024-03-10)",
                    ][
                        number]
                ])
        }
    }

    @Test("are no larger than they may be")
    func limits() async throws {
        let folder = try TemporaryFolder()
        let starts = Array(repeating: "2024-03-05 12:00:00 +0000", count: 25)
        let session = try await session(store(starts), folder, batchSize: .byYear.limited(toRows: 10))
        #expect(session.pendingBatches.map(\.count) == [10, 10, 5])
        #expect(session.pendingBatches.map(\.part) == [1, 2, 3])
    }
}
