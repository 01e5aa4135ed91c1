import ByteText
import FolderTesting
import HealthExport
import SystemIO
import Testing
import VaultCrypto

@testable import DriveExports

@Suite("Scheduled exports, run by a program")
struct DueExportsTests {
    /// Answers for an export, whatever it is.
    private static func program(
        _ schedule: ExportSchedule, _ source: BytePath
    ) -> any DriveExportAttendant {
        DriveExportTests.Program(passphrases: "six random words on paper", source: source)
    }

    /// A drive with a schedule that has been due since 1970, and a folder in which exports arrive.
    private final class Place {
        private let folder: TemporaryFolder
        let configuration: ConfigurationFolder
        let state: StateFolder
        let exports: DueExports
        var inbox: BytePath { folder.path / "inbox" }
        var drive: BytePath { folder.path / "drive" }
        var history: History { History(inState: state.path) }

        init(_ change: (inout ExportSchedule) -> Void = { _ in }) throws {
            folder = try TemporaryFolder()
            configuration = ConfigurationFolder(folder.path + "/config")
            state = StateFolder(folder.path + "/state")
            for name in ["drive", "inbox"] as [BytePath] { try Folder.make(folder.path / name) }
            _ = try Destinations(configuration).add("stick", folder.path + "/drive")
            var schedule = ExportSchedule(
                destination: "stick", due: DueTimes(.daily, at: try #require(TimeOfDay(hour: 3, minute: 0))),
                source: folder.path + "/inbox", created: 0)
            schedule.formats = ["ndjson"]
            change(&schedule)
            try Schedules(configuration).set(schedule)
            exports = DueExports(configuration, state: state)
        }

        /// The only schedule.
        func scheduled() throws -> ScheduledExport { try #require(try exports.all().first) }

        func arrive(_ text: String? = nil) throws {
            let bytes = try text.map { Array($0.utf8) } ?? TemporaryFolder.bytes(DriveExportTests.source)
            let file = try FileDescriptor(opening: inbox / "export.xml", .create)
            try file.write(bytes.span)
            try file.close()
        }
    }

    @Test("stay due until an export arrives, are made once, and are then up to date")
    func arrivals() async throws {
        let place = try Place()
        #expect(try place.scheduled().isDue)
        guard
            case .delayed(.nothingArrived) = try await place.exports.run(
                try place.scheduled(), attendant: Self.program)
        else {
            Issue.record("something was exported")
            return
        }
        let waiting = try place.scheduled()
        #expect(waiting.isDue && waiting.progress.reason == "no export in \(place.inbox)")
        #expect(waiting.progress.waiting != nil)

        try place.arrive()
        guard case .done(.written) = try await place.exports.run(waiting, attendant: Self.program) else {
            Issue.record("nothing was exported")
            return
        }
        let done = try place.scheduled()
        #expect(!done.isDue && done.progress.reason == nil && done.progress.waiting == nil)
        #expect(done.progress.exported != nil)

        // The same export is not made twice.
        guard case .done(.nothingNew) = try await place.exports.run(done, attendant: Self.program) else {
            Issue.record("it was exported again")
            return
        }
        #expect(try place.history.all().map(\.result) == [.done, .nothingNew])
        #expect(try place.history.all().allSatisfy { $0.isScheduled })
    }

    @Test("have nothing to export if no sample is in the period")
    func emptyPeriod() async throws {
        let place = try Place { $0.period = CalendarPeriod(parsing: "1d") }
        try place.arrive(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_GB">
             <ExportDate value="2024-05-20 08:00:00 +0000"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="x" unit="count" \
            startDate="2024-05-01 08:00:00 +0000" endDate="2024-05-01 09:00:00 +0000" value="1"/>
            </HealthData>

            """)
        let outcome = try await place.exports.run(try place.scheduled(), attendant: Self.program)
        guard case .delayed(.nothingInRange) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try place.scheduled().isDue)
        #expect(try place.history.all().isEmpty)
    }

    @Test("wait for a drive that is away")
    func missingDrive() async throws {
        let place = try Place()
        try place.arrive()
        try Folder.removeAll(place.drive)
        guard
            case .delayed(.failure(let error)) = try await place.exports.run(
                try place.scheduled(), attendant: Self.program)
        else {
            Issue.record("something was exported")
            return
        }
        #expect(error is DestinationError)
        #expect(try place.scheduled().progress.reason == "not connected")
    }

    @Test("are made of an export that a watcher names, whether or not they are due")
    func watchers() async throws {
        let place = try Place()
        try place.arrive()
        let schedule = try place.scheduled().schedule
        let program = DriveExportTests.Program(passphrases: "unused")
        for (version, isNew) in [("1", true), ("1", false), ("2", true)] {
            let outcome = try await place.exports.export(
                place.inbox / "export.xml", version: version, for: schedule, attendant: program)
            if case .written = outcome { #expect(isNew) } else { #expect(!isNew) }
        }
        #expect(try place.scheduled().progress.exported == "2")
    }

    /// A program during whose export something else happens.
    private struct DisturbedProgram: DriveExportAttendant {
        private let program = DriveExportTests.Program(passphrases: "unused")
        private let disturb: @Sendable () throws -> Void

        init(disturb: @escaping @Sendable () throws -> Void) { self.disturb = disturb }

        var isInterrupted: @Sendable () -> Bool { program.isInterrupted }
        func passphrase(continuing archive: BytePath?) throws -> Passphrase {
            try program.passphrase(continuing: archive)
        }
        func retrying<Result>(_ operation: () async throws -> Result) async throws -> Result {
            try disturb()
            return try await operation()
        }
        func openSource() throws -> ConversionSource { try program.openSource() }
    }

    @Test("leave alone what another process has recorded of a run that began later")
    func otherProcesses() async throws {
        let place = try Place()
        try place.arrive()
        let schedule = try place.scheduled().schedule
        let progresses = ScheduleProgresses(inState: place.state.path)
        let program = DisturbedProgram {
            var progress = ScheduleProgress(destination: "stick")
            progress.done = SystemClock.now()
            progress.exported = "2"
            try progresses.save(progress)
        }
        let outcome = try await place.exports.export(
            place.inbox / "export.xml", version: "1", for: schedule, attendant: program)
        guard case .written = outcome else {
            Issue.record("nothing was exported")
            return
        }
        #expect(try place.scheduled().progress.exported == "2")
    }
}
