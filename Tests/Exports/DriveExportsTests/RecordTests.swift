import ByteText
import FolderTesting
import HealthArchive
import SystemIO
import Testing

@testable import DriveExports

@Suite("Records of destinations, schedules and exports")
struct RecordTests {
    private static let destination = Destination(
        name: "stick", path: "/media/me/STICK/health", mountPoint: "/media/me/STICK",
        filesystem: FilesystemIdentity(uuid: "1F61-B063", label: "HE\"ALTH", type: "vfat"),
        marker: "00112233445566778899aabbccddeeff", added: 1_700_000_000)

    private static var schedule: ExportSchedule {
        get throws {
            let time = try #require(TimeOfDay(parsing: "02:00"))
            var schedule = ExportSchedule(
                destination: "stick", due: DueTimes(.monthly(31), at: time),
                source: BytePath(bytes: [0x2f, 0xff, 0x22]), created: 1_700_000_000)
            schedule.passphraseCommand = "pass show \"health\""
            schedule.isIncremental = true
            schedule.keep = 3
            return schedule
        }
    }

    private static var record: HistoryRecord {
        var record = HistoryRecord(
            began: 1_700_000_000, seconds: 1.5, destination: "stick", format: "encrypted", result: .incomplete
        )
        record.sequence = 3
        record.path = "/x/health-2026-11-23.plus-2026-12-01.hvault"
        record.identity = "aa"
        record.continues = "bb"
        record.exported = 1_699_999_999
        record.samples = 7
        record.size = 4096
        return record
    }

    @Test("come back as they were written")
    func roundTrips() throws {
        #expect(Destination(line: Self.destination.line) == Self.destination)
        let schedule = try Self.schedule
        #expect(ExportSchedule(line: schedule.line) == schedule)
        #expect(HistoryRecord(line: Self.record.line) == Self.record)
        var progress = ScheduleProgress(destination: "stick")
        progress.done = 1_700_000_000
        progress.reason = "no export in /x"
        progress.hasFailed = true
        #expect(ScheduleProgress(line: progress.line) == progress)
    }

    @Test("are the same line again, however long the export took")
    func stableLines() throws {
        for milliseconds in 0..<5000 {
            var record = Self.record
            record.seconds = Double(milliseconds) / 1000 + 0.0004
            #expect(try #require(HistoryRecord(line: record.line)).line == record.line)
        }
    }

    @Test("are found again to be changed, as they were added and as they were read")
    func changes() throws {
        let folder = try TemporaryFolder()
        let history = History(inState: folder.path)
        var record = Self.record
        for seconds in [1.001, 0.57, 2.0009, 4.35] {
            record.seconds = seconds
            record = try history.add(record)
            try history.replace(record) { $0.result = .done }
            let read = try #require(try history.all().last)
            #expect(read.result == .done)
            try history.replace(read) { $0.isPruned = true }
            #expect(try history.all().last?.isPruned == true)
        }
    }

    @Test("that are damaged are none, or others, and never end the program")
    func damage() throws {
        let lines = [Self.destination.line, try Self.schedule.line, Self.record.line]
        for line in lines {
            for index in line.indices {
                for bit in 0..<8 {
                    var damaged = line
                    damaged[index] ^= 1 << bit
                    _ = Destination(line: damaged)
                    _ = ExportSchedule(line: damaged)
                    _ = HistoryRecord(line: damaged)
                    _ = ScheduleProgress(line: damaged)
                }
                _ = Destination(line: Array(line[..<index]))
                _ = HistoryRecord(line: Array(line[..<index]))
            }
        }
    }

    @Test("numbers that nothing could be calculated with are refused")
    func numbers() {
        for number in ["-9223372036854775808", "9223372036854775807", "1e3"] {
            #expect(
                HistoryRecord(
                    line: Array(
                        """
                        {"run":1,"began":\(number),"milliseconds":1,"destination":"x","scheduled":false,\
                        "format":"encrypted","result":"done","samples":1,"size":1,"pruned":false}
                        """.utf8)) == nil)
        }
    }
}

@Suite("Names of exports at a destination")
struct ArchiveNameTests {
    @Test("come back as they were written, in the order of the newest exports inside")
    func names() throws {
        let day = try #require(CivilDate(year: 2026, month: 11, day: 23))
        let later = try #require(CivilDate(year: 2027, month: 1, day: 2))
        let last = try #require(CivilDate(year: 2027, month: 1, day: 3))
        let (first, second) = (ArchiveName.Part(day: day), ArchiveName.Part(day: day, number: 2))
        let names = [
            ArchiveName(first), ArchiveName(second),
            ArchiveName(first, adding: ArchiveName.Part(day: later)),
            ArchiveName(first, adding: ArchiveName.Part(day: later, number: 10)),
            ArchiveName(ArchiveName.Part(day: later)),
            ArchiveName(second, adding: ArchiveName.Part(day: last)),
        ]
        #expect(
            names.map(\.base) == [
                "health-2026-11-23", "health-2026-11-23-another-2", "health-2026-11-23.plus-2027-01-02",
                "health-2026-11-23.plus-2027-01-02-another-10", "health-2027-01-02",
                "health-2026-11-23-another-2.plus-2027-01-03",
            ])
        for name in names { #expect(ArchiveName(name.base) == name) }
        #expect(names.shuffled().sorted() == names)
    }

    @Test(
        "others are not taken for one",
        arguments: [
            "", "health", "health-2026-11-23-1", "health-2026-11-23.1", "health-2026-11-23.2",
            "health-2026-11-23-2", "health-2026-13-01", "health-2026-11-23-another-1", "health-2026-11-2",
            "health-2026-11-23.", "health-2026-11-23-", "Health-2026-11-23",
            "health-2026-11-23-another-02", "health-2026-11-23.plus-2026-12-01.plus-2026-12-02",
            "health-2026-11-23-another-99999999999999999999", "health-2026-11-23.plus-",
        ] as [BytePath])
    func others(name: BytePath) { #expect(ArchiveName(name) == nil) }
}
