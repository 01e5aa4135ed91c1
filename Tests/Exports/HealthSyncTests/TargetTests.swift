import Database
import FolderTesting
import HealthArchive
import HealthModel
import HealthSync
import HealthSyncTesting
import SystemIO
import Testing

@Suite("Targets of a synchronisation")
struct TargetTests {
    @Test("an SQLite database keeps to the contract")
    func sqlite() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path / "health.db"
        let check = ExternalStoreConformance {
            try DatabaseTarget(sqlite: path)
        } identifiers: {
            let database = try Database(reading: path.bytes)
            var rows = try database.prepare("SELECT id FROM health_samples")
            var ids: [String] = []
            while try rows.step() { ids.append(String(decoding: rows.text(at: 0) ?? [], as: UTF8.self)) }
            return ids
        }
        #expect(try await check.problems() == [])
    }

    @Test("a folder keeps to the contract")
    func folder() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path / "health"
        let check = ExternalStoreConformance {
            try FolderTarget(path: path)
        } identifiers: {
            try TemporaryFolder.contents(of: path).keys.compactMap { $0.name.dropping(suffix: ".json")?.text }
        }
        #expect(try await check.problems() == [])
    }

    @Test("a second synchronisation with the same target is refused")
    func twice() throws {
        let folder = try TemporaryFolder()
        let database = try DatabaseTarget(sqlite: folder.path / "health.db")
        #expect(throws: SyncError(.inUse)) { try DatabaseTarget(sqlite: folder.path / "health.db") }
        let files = try FolderTarget(path: folder.path / "health")
        #expect(throws: SyncError(.inUse)) { try FolderTarget(path: folder.path / "health") }
        withExtendedLifetime((database, files)) {}
    }

    @Test(
        "a manager opens the target that a location names, and lets go of it", arguments: ["sqlite", "dir"])
    func location(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        let target = try #require(TargetLocation("\(kind):\(folder.path / "health")"))
        let document = """
            <HealthData><Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" value="3" \
            startDate="2024-06-01 08:00:00 +0200" endDate="2024-06-01 09:00:00 +0200"/></HealthData>
            """
        try folder.file("export.xml", Array(document.utf8))
        let store = try ExportStore(path: folder.path / "export.xml")
        let terms = SubjectTerms(person: "ada")
        do {
            let manager = try SyncManager(target, types: [.heartRate], terms: terms)
            #expect(try await manager.synchronize(with: store).total.added == 0)
        }
        do {
            let manager = try SyncManager(target, terms: terms)
            #expect(throws: SyncError(.inUse)) { try SyncManager(target) }
            #expect(try await manager.synchronize(with: store).total.added == 1)
        }
        #expect(try await target.open(isReadOnly: true).subjects().map(\.person) == ["ada"])
    }

    @Test("a folder with other files is refused")
    func foreign() throws {
        let folder = try TemporaryFolder()
        try folder.file("letter.txt", [])
        #expect(throws: SyncError(.foreignTarget)) { try FolderTarget(path: folder.path) }
    }

    @Test("a PostgreSQL location with a password is refused before anything is sent")
    func password() throws {
        #expect(throws: SyncError.self) {
            try DatabaseTarget(postgreSQL: "postgresql://me:secret@db.invalid/health")
        }
        #expect(throws: SyncError.self) {
            try DatabaseTarget(postgreSQL: "postgresql://db.invalid/health?password=secret")
        }
    }

    @Test(
        "locations are recognised",
        arguments: [
            ("sqlite:a.db", TargetLocation.sqlite("a.db")), ("dir:a/b", .folder("a/b")),
            ("postgresql://h/d", .postgreSQL("postgresql://h/d")),
            ("fhir+https://h/r4/", .fhir("https://h/r4")),
            ("sqlite:", nil), ("fhir+http://h", nil), ("https://h", nil), ("fhir+https://h /x", nil),
        ] as [(String, TargetLocation?)])
    func locations(text: String, location: TargetLocation?) {
        #expect(TargetLocation(text) == location)
    }
}
