import ByteText
import SystemIO
import Testing

@testable import DriveExports

@Suite("Stored schedules")
struct ExportScheduleTests {
    private static let due = TimeOfDay(hour: 2, minute: 30).map { DueTimes(.weekly(.sunday), at: $0) }

    /// A schedule with nothing that may be missing, and one with all of it.
    private static func schedules() throws -> [ExportSchedule] {
        let due = try #require(Self.due)
        let plain = ExportSchedule(
            destination: "stick", due: due, source: "/home/ann/export.zip", created: 1_720_000_000)
        var full = ExportSchedule(
            destination: "My_Drive-2.0", due: DueTimes(.monthly(31), at: due.time),
            source: BytePath(bytes: Array("/in \"box\"\\\n".utf8) + [0xff, 0x01]), created: -5)
        full.formats = ["sqlite", "csv"]
        full.passphraseFile = BytePath(bytes: Array("/k\u{e4}y".utf8) + [0xfe])
        full.passphraseCommand = "pass show \"health\" | head -n 1"
        full.isIncremental = true
        full.period = CalendarPeriod(parsing: "30d")
        full.keep = 3
        return [plain, full]
    }

    @Test("are read as they were written")
    func roundTrips() throws {
        for schedule in try Self.schedules() {
            #expect(ExportSchedule(line: schedule.line) == schedule)
            #expect(!schedule.line.contains(UInt8(ascii: "\n")))
            for period in ["1d", "2w", "18m", "5y"] {
                var other = schedule
                other.period = CalendarPeriod(parsing: period)
                #expect(ExportSchedule(line: other.line) == other)
            }
        }
    }

    @Test("have this form")
    func form() throws {
        let lines = try Self.schedules().map { String(decoding: $0.line, as: UTF8.self) }
        #expect(
            lines[0]
                == #"{"schedule":1,"destination":"stick","every":"sunday","time":"02:30","#
                + #""source":"/home/ann/export.zip","formats":[],"incremental":false,"#
                + #""created":1720000000}"#)
        #expect(
            lines[1]
                == #"{"schedule":1,"destination":"My_Drive-2.0","every":"last","time":"02:30","#
                + #""source":"/in \"box\"\\\n\udcff\u0001","formats":["sqlite","csv"],"#
                + #""passphraseFile":"/käy\udcfe","#
                + #""passphraseCommand":"pass show \"health\" | head -n 1","incremental":true,"last":"30d","#
                + #""keep":3,"created":-5}"#)
    }

    @Test("are encrypted if no format is named")
    func encryption() throws { #expect(try Self.schedules().map(\.isEncrypted) == [true, false]) }

    @Test("are read without what may be missing, and with members of later versions")
    func members() throws {
        let line = try Self.schedules()[0].line
        #expect(Self.read(line, replacing: #""formats":[],"#, with: "") != nil)
        #expect(Self.read(line, replacing: #""formats":[],"#, with: #""formats":[],"later":7,"#) != nil)
        #expect(Self.read(line, replacing: #""formats":[],"#, with: #""later":["csv"],"#)?.formats == [])
    }

    @Test(
        "are refused where a value is missing or out of range",
        arguments: [
            (#""schedule":1"#, #""schedule":2"#), (#""schedule":1,"#, ""), (#""destination":"stick","#, ""),
            (#""stick""#, #""""#), (#""stick""#, #""../stick""#), (#""stick""#, #""st\udcffck""#),
            ("stick", "a b"),
            (#""sunday""#, #""weekly""#), (#""sunday""#, "7"),
            (#""every":"sunday","#, ""),
            ("02:30", "24:00"), (#""time":"02:30","#, ""), ("/home", "home"),
            (#""source":"/home/ann/export.zip","#, ""),
            ("false", "0"), (#""incremental":false,"#, ""), ("false", #"false,"last":"all""#),
            ("false", #"false,"last":"1""#),
            ("1720000000", "253370764800"), ("1720000000", "9223372036854775808"),
            (#","created":1720000000"#, ""),
            ("1720000000", "1.5"), ("1720000000", #""1720000000""#), ("false", #"false,"keep":0"#),
            ("false", #"false,"keep":-1"#), ("false", #"false,"keep":null"#), ("[]", "[1]"), ("[]", "[null]"),
            ("}", "}}"), ("}", ""), ("{", "[{"), ("false", #"false,"passphraseCommand":"\udcff""#),
            ("false", #"false,"passphraseFile":"key""#),
        ])
    func refusals(text: String, other: String) throws {
        let line = try Self.schedules()[0].line
        #expect(Self.read(line, replacing: text, with: other) == nil)
    }

    @Test("with a flipped or missing byte give a schedule or nothing")
    func damage() throws {
        for line in try Self.schedules().map(\.line) {
            for place in line.indices {
                for mask in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff] as [UInt8] {
                    var flipped = line
                    flipped[place] ^= mask
                    // What is read can be written.
                    if let schedule = ExportSchedule(line: flipped) {
                        #expect(ExportSchedule(line: schedule.line) == schedule)
                    }
                }
                #expect(ExportSchedule(line: Array(line[..<place])) == nil)
            }
        }
    }

    /// Reads a line in which a text, which it must have, is replaced by another one.
    private static func read(_ line: [UInt8], replacing text: String, with other: String) -> ExportSchedule? {
        let text = Array(text.utf8)
        guard let start = line.indices.first(where: { line[$0...].starts(with: text) }) else {
            Issue.record("no \(text) in the line")
            return nil
        }
        return ExportSchedule(line: line[..<start] + Array(other.utf8) + line[(start + text.count)...])
    }
}
