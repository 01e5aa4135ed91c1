import ByteText
import SystemIO
import Testing

@Suite("Offsets of time zones")
struct ZoneRulesTests {
    /// What Python's `zoneinfo` says: summer time in the north and the south, half an hour of it, a zone that left out
    /// a day, and one whose winter is the exception.
    ///
    /// Governments may change what is to come: the command's tests ask
    /// `zoneinfo` itself about years that only the rule in the footer knows.
    static let known: [(zone: String, seconds: Int, offset: Int)] = [
        ("Europe/Berlin", 15_638_400, 3600),
        ("Europe/Berlin", 1_325_246_400, 3600),
        ("Europe/Berlin", 1_678_604_400, 3600),
        ("Europe/Berlin", 1_711_843_200, 3600),
        ("Europe/Berlin", 1_711_846_800, 7200),
        ("Europe/Berlin", 1_719_792_000, 7200),
        ("Europe/Berlin", 1_729_987_200, 7200),
        ("Europe/Berlin", 1_729_990_800, 3600),
        ("America/New_York", 15_638_400, -14400),
        ("America/New_York", 1_325_246_400, -18000),
        ("America/New_York", 1_678_604_400, -14400),
        ("America/New_York", 1_711_843_200, -14400),
        ("America/New_York", 1_711_846_800, -14400),
        ("America/New_York", 1_719_792_000, -14400),
        ("America/New_York", 1_729_987_200, -14400),
        ("America/New_York", 1_729_990_800, -14400),
        ("Australia/Lord_Howe", 15_638_400, 36000),
        ("Australia/Lord_Howe", 1_325_246_400, 39600),
        ("Australia/Lord_Howe", 1_678_604_400, 39600),
        ("Australia/Lord_Howe", 1_711_843_200, 39600),
        ("Australia/Lord_Howe", 1_711_846_800, 39600),
        ("Australia/Lord_Howe", 1_719_792_000, 37800),
        ("Australia/Lord_Howe", 1_729_987_200, 39600),
        ("Australia/Lord_Howe", 1_729_990_800, 39600),
        ("America/Santiago", 15_638_400, -14400),
        ("America/Santiago", 1_325_246_400, -10800),
        ("America/Santiago", 1_678_604_400, -10800),
        ("America/Santiago", 1_711_843_200, -10800),
        ("America/Santiago", 1_711_846_800, -10800),
        ("America/Santiago", 1_719_792_000, -14400),
        ("America/Santiago", 1_729_987_200, -10800),
        ("America/Santiago", 1_729_990_800, -10800),
        ("Europe/Dublin", 15_638_400, 3600),
        ("Europe/Dublin", 1_325_246_400, 0),
        ("Europe/Dublin", 1_678_604_400, 0),
        ("Europe/Dublin", 1_711_843_200, 0),
        ("Europe/Dublin", 1_711_846_800, 3600),
        ("Europe/Dublin", 1_719_792_000, 3600),
        ("Europe/Dublin", 1_729_987_200, 3600),
        ("Europe/Dublin", 1_729_990_800, 0),
        ("Asia/Kolkata", 15_638_400, 19800),
        ("Asia/Kolkata", 1_325_246_400, 19800),
        ("Asia/Kolkata", 1_678_604_400, 19800),
        ("Asia/Kolkata", 1_711_843_200, 19800),
        ("Asia/Kolkata", 1_711_846_800, 19800),
        ("Asia/Kolkata", 1_719_792_000, 19800),
        ("Asia/Kolkata", 1_729_987_200, 19800),
        ("Asia/Kolkata", 1_729_990_800, 19800),
        ("Pacific/Apia", 15_638_400, -39600),
        ("Pacific/Apia", 1_325_246_400, 50400),
        ("Pacific/Apia", 1_678_604_400, 46800),
        ("Pacific/Apia", 1_711_843_200, 46800),
        ("Pacific/Apia", 1_711_846_800, 46800),
        ("Pacific/Apia", 1_719_792_000, 46800),
        ("Pacific/Apia", 1_729_987_200, 46800),
        ("Pacific/Apia", 1_729_990_800, 46800),
        ("America/Nuuk", 15_638_400, -10800),
        ("America/Nuuk", 1_325_246_400, -10800),
        ("America/Nuuk", 1_678_604_400, -10800),
        ("America/Nuuk", 1_711_843_200, -7200),
        ("America/Nuuk", 1_711_846_800, -3600),
        ("America/Nuuk", 1_719_792_000, -3600),
        ("America/Nuuk", 1_729_987_200, -3600),
        ("America/Nuuk", 1_729_990_800, -7200),
    ]

    @Test("the system's files say what they say to others", arguments: known)
    func offsets(zone: String, seconds: Int, offset: Int) throws {
        let bytes = try #require(try ZoneFiles.bytes(ofZone: zone))
        #expect(try Self.rules(bytes).offset(at: seconds) == offset)
    }

    @Test(
        "all rules of POSIX are read",
        arguments: [
            ("UTC0", 0, 0), ("<+0530>-5:30", 0, 19800), ("WGT3:01:02", 0, -10862),
            // 1970 has no leap day; day 59 counted from 0 is March 1, day 60 counted from 1 as well.
            ("A0B,59/0,J365/0", 59 * 86400 - 1, 0), ("A0B,59/0,J365/0", 59 * 86400, 3600),
            ("A0B,J60/0,J365/0", 59 * 86400 - 1, 0), ("A0B,J60/0,J365/0", 59 * 86400, 3600),
            // In 1972 day 60 is February 29 or March 1.
            ("A0B,J60/0,J365/0", (730 + 60) * 86400 - 1, 0), ("A0B,J60/0,J365/0", (730 + 60) * 86400, 3600),
            ("A0B,59/0,J365/0", (730 + 59) * 86400, 3600),
            // Summer all year, as RFC 8536 writes it.
            ("WGT3WGST4,0/0,J365/23", 0, -14400), ("WGT3WGST4,0/0,J365/23", 364 * 86400 + 86399, -14400),
            // The last Sunday of March 1970 is the 29th, the first of October the 4th.
            ("A-1B-2,M3.5.0,M10.1.0/3", 87 * 86400 + 3599, 3600),
            ("A-1B-2,M3.5.0,M10.1.0/3", 87 * 86400 + 3600, 7200),
            ("A-1B-2,M3.5.0,M10.1.0/3", 276 * 86400 + 3599, 7200),
            ("A-1B-2,M3.5.0,M10.1.0/3", 276 * 86400 + 3600, 3600),
            // A time before midnight is one of the day before.
            ("A0B,M3.5.0/-1,M10.1.0", 87 * 86400 - 3600, 3600),
            ("A0B,M3.5.0/-1,M10.1.0", 87 * 86400 - 3601, 0),
        ])
    func footers(footer: String, seconds: Int, offset: Int) throws {
        #expect(try Self.rules(Self.file(footer)).offset(at: seconds) == offset)
    }

    @Test(
        "what is no rule is refused",
        arguments: [
            "A", "A0B", "A0B,", "A0B,M3.5.0", "A0B,M13.5.0,M10.1.0", "A0B,M3.6.0,M10.1.0",
            "A0B,M3.5.7,M10.1.0", "<A0",
            "A0B,J0,J365", "A0B,366,1", "A168", "A0:60", "A0B,M3.5.0,M10.1.0,", "A0 ",
            "A99999999999999999999",
        ])
    func noRules(footer: String) { #expect(throws: (any Error).self) { try Self.rules(Self.file(footer)) } }

    @Test("a cut or flipped file gives offsets or nothing", arguments: ["Europe/Berlin", "Pacific/Apia"])
    func damage(zone: String) throws {
        let bytes = try #require(try ZoneFiles.bytes(ofZone: zone))
        for length in bytes.indices {
            #expect(throws: (any Error).self) { try Self.rules(Array(bytes[..<length])) }
        }
        for place in bytes.indices {
            for mask: UInt8 in [0x01, 0x80, 0xff] {
                var flipped = bytes
                flipped[place] ^= mask
                guard let rules = try? Self.rules(flipped) else { continue }
                for seconds in [Int(Int32.min) * 2, 0, 1_720_000_000, 1 << 36] {
                    #expect(rules.offset(at: seconds).magnitude <= 14 * 86400)
                }
            }
        }
    }

    @Test("a zone without changes has the offset of its first type", arguments: ["", "<+02>-2"])
    func noChanges(footer: String) throws {
        let rules = try Self.rules(Self.file(footer, offset: 7200))
        #expect(rules.offset(at: -1 << 40) == 7200)
        #expect(rules.offset(at: 1 << 36) == 7200)
    }

    private struct NoRules: Error {}

    private static func rules(_ bytes: [UInt8]) throws -> ZoneRules {
        guard let rules = ZoneRules(tzif: bytes.span) else { throw NoRules() }
        return rules
    }

    /// A file with one type and no transitions, so that its footer says all.
    private static func file(_ footer: String, offset: Int32 = 0) -> [UInt8] {
        let head = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        let counts = [0, 0, 0, 0, 1, 1].flatMap { [0, 0, 0, $0] as [UInt8] }
        let type = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: offset >> $0) } + [0, 0]
        let half = head + counts + type + [0]
        return half + half + Array("\n\(footer)\n".utf8)
    }
}
