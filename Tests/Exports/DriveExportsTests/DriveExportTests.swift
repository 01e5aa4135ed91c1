import ArchiveWriting
import ByteText
import FolderTesting
import HealthArchive
import HealthExport
import HealthFormats
import Synchronization
import SystemIO
import Testing
import VaultCrypto

@testable import DriveExports

@Suite("An export to a destination, made by a program")
struct DriveExportTests {
    /// A program that exports without a person.
    final class Program: DriveExportAttendant {
        private let passphrases: Mutex<[String]>
        private let done = Mutex<[String]>([])
        /// The number of bytes after which somebody asks it to stop.
        private let stop: Int
        private let read = Mutex(0)

        private let source: BytePath

        /// Answers with each passphrase in turn, and then with the last one again.
        init(
            passphrases: String..., source: BytePath = DriveExportTests.source, stoppingAfter stop: Int = .max
        ) {
            self.passphrases = Mutex(passphrases)
            self.source = source
            self.stop = stop
        }

        var events: [String] { done.withLock { $0 } }
        var isInterrupted: @Sendable () -> Bool { { self.read.withLock { $0 } > self.stop } }

        func showProgress(of step: DriveExportStep) -> ProgressHandler {
            { progress in self.read.withLock { $0 = progress.done } }
        }

        func passphrase(continuing archive: BytePath?) throws -> Passphrase {
            let text = passphrases.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return try Passphrase(preparing: Array(text.utf8).span)
        }

        func retrying<Result>(_ operation: () async throws -> Result) async throws -> Result {
            do { return try await operation() } catch let error as VaultError where error.isWrongPassphrase {
                return try await operation()
            }
        }

        func openSource() throws -> ConversionSource { ConversionSource(export: source) }

        func report(_ event: DriveExportEvent) {
            let word =
                switch event {
                case .exported: "exported"
                case .damaged: "damaged"
                case .needsFull: "needsFull"
                case .nothingNew: "nothingNew"
                case .incremented: "incremented"
                case .converted: "converted"
                case .verified: "verified"
                case .flawed: "flawed"
                case .missing: "missing"
                case .fewerPassphrases: "fewerPassphrases"
                case .kept: "kept"
                case .removed: "removed"
                case .notRemoved: "notRemoved"
                case .removedUnfinished: "removedUnfinished"
                case .notTidied: "notTidied"
                }
            done.withLock { $0.append(word) }
        }
    }

    private static let fixtures = BytePath(#filePath).parent.parent.parent.parent / "Fixtures/exports"
    static let source = fixtures / "version-14.xml"

    /// A drive, and where a program keeps what it knows of it.
    private final class Place {
        private let folder: TemporaryFolder
        let destination: Destination
        let state: StateFolder
        var history: History { History(inState: state.path) }

        init() throws {
            let folder = try TemporaryFolder()
            try Folder.make(folder.path / "drive")
            let destinations = Destinations(ConfigurationFolder(folder.path / "config"))
            destination = try destinations.add("stick", folder.path / "drive").destination
            state = StateFolder(folder.path / "state")
            self.folder = folder
        }

        func export(
            _ program: Program, of source: BytePath = DriveExportTests.source,
            _ change: (inout DriveExportOptions) -> Void = { _ in }
        ) throws -> DriveExport {
            var options = DriveExportOptions()
            options.settings.iterations = 600_000
            change(&options)
            return try DriveExport(
                of: source, to: destination, options: options, state: state, attendant: program)
        }
    }

    private static func output(_ outcome: DriveExport.Outcome) -> DriveExport.Output? {
        if case .written(let output) = outcome { output } else { nil }
    }

    @Test("is verified and recorded, and an increment of the same source has nothing new")
    func increments() async throws {
        let place = try Place()
        let program = Program(passphrases: "six random words on paper")
        let export = try place.export(program)
        #expect(try !export.isThere())
        let output = try #require(Self.output(try await export.run()))
        #expect(program.events == ["exported", "verified"])
        let record = try #require(try place.history.all().last)
        #expect(record.result == .done && record.isVerified && record.size == output.size)
        #expect(record.identity == OutputIdentity.of(output.path, isEncrypted: true))
        #expect(try export.isThere())

        let again = try place.export(program) { $0.isIncremental = true }
        guard case .nothingNew = try await again.run() else {
            Issue.record("something was written")
            return
        }
        #expect(program.events == ["exported", "verified", "nothingNew"])
        #expect(try place.history.all().map(\.result) == [.done, .nothingNew])
    }

    @Test("an export that is stopped says which session continues it")
    func stopped() async throws {
        let place = try Place()
        let record = """
            <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" value="3" \
            startDate="2024-06-01 08:00:00 +0200" endDate="2024-06-01 09:00:00 +0200"/>

            """
        // The first batch has 65,536 records.
        let records = String(repeating: record, count: 150_000)
        let folder = try TemporaryFolder()
        let source = try folder.file("export.xml", Array("<HealthData>\n\(records)</HealthData>".utf8))
        // Less than a mebibyte would not be kept.
        let program = Program(passphrases: "", stoppingAfter: 20 << 20)
        let export = try place.export(program, of: source) { $0.isEncrypted = false }
        let failure = await #expect(throws: ResumableFailure.self) { try await export.run() }
        #expect(failure?.kind == .interrupted)
        let session = try #require(failure?.session)
        #expect(try ExportRecords(place.state).record(session).record.destination == "stick")
        // It is continued, and so has no result yet.
        #expect(try place.history.all().isEmpty)
    }

    @Test("asks again if the passphrase of the archive to continue is wrong")
    func wrongPassphrase() async throws {
        let place = try Place()
        _ = try await place.export(Program(passphrases: "the right passphrase")).run()
        let program = Program(passphrases: "the wrong passphrase", "the right passphrase")
        _ = try await place.export(program) { $0.isIncremental = true }.run()
        #expect(program.events == ["nothingNew"])
        #expect(try place.history.all().map(\.result) == [.done, .nothingNew])

        let mistaken = Program(passphrases: "the wrong passphrase")
        let export = try place.export(mistaken) { $0.isIncremental = true }
        await #expect { try await export.run() } throws: { ($0 as? VaultError)?.isWrongPassphrase == true }
        #expect(try place.history.all().last?.result == .failed)
    }

    @Test("converts to other formats, and keeps as many as it was told to")
    func conversions() async throws {
        let place = try Place()
        let program = Program(passphrases: "unused")
        let export = {
            try place.export(program) { options in
                options.isEncrypted = false
                options.formats = [.json]
                options.kept = 1
            }
        }
        let first = try #require(Self.output(try await export().run()))
        let second = try #require(Self.output(try await export().run()))
        #expect(program.events == ["converted", "verified", "converted", "verified", "removed"])
        #expect(try !Target.exists(first.path) && Target.exists(second.path))
    }

    @Test("records a failure with what it means, and nothing else of it")
    func failures() async throws {
        let place = try Place()
        let program = Program(passphrases: "unused")
        let export = try place.export(program, of: "/nowhere/export.zip") { $0.isEncrypted = false }
        await #expect(throws: VaultError.self) { try await export.run() }
        let record = try #require(try place.history.all().last)
        #expect(record.result == .failed && record.reason == "not found" && record.path == nil)
        #expect(program.events == [])
    }
}
