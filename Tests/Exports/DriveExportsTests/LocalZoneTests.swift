import ByteText
import SystemIO
import Testing

@testable import DriveExports

@Suite("The zone of this computer")
struct LocalZoneTests {
    /// In winter, in summer, and on both sides of a change.
    private static let instants = [1_705_320_000, 1_720_000_000, 1_711_846_799, 1_711_846_800, 1_729_990_800]

    @Test(
        "is the one of TZ, as date(1) takes it",
        arguments: [
            "", "UTC", ":UTC", "UTC0", "Europe/Berlin", ":Europe/Berlin", "Australia/Lord_Howe",
            "Asia/Kathmandu",
            "/usr/share/zoneinfo/America/New_York", ":/usr/share/zoneinfo/America/New_York", "EST5EDT",
            "Nowhere/Atall", ":Nowhere/Atall", "/nowhere", "/", "/etc/hostname", "Europe", ":", "::",
        ])
    func names(text: String) throws {
        let days = try LocalZone.days(named: text)
        for instant in Self.instants {
            let line = try CommandLines.output(of: "TZ='\(text)' date -d @\(instant) +%z")
            #expect(Self.seconds(line) == days.offset(at: instant), "\(instant)")
        }
    }

    @Test("is UTC if TZ leads out of the folder of zones", arguments: ["../../../etc/localtime", "..", "."])
    func outside(text: String) throws { #expect(try LocalZone.days(named: text) == .utc) }

    @Test("has the offsets that C has")
    func offsets() throws {
        let days = try LocalZone.days()
        // From 1971 to 2099, in steps of some 40 days.
        for instant in stride(from: 1 << 25, to: 1 << 32, by: 3_456_789) {
            #expect(days.offset(at: instant) == SystemClock.localOffsetMinutes(at: instant) * 60)
        }
    }

    /// Reads `+0530`.
    private static func seconds(_ text: String) -> Int? {
        guard let number = Int(text.prefix(5)) else { return nil }
        let minutes = number.magnitude / 100 * 60 + number.magnitude % 100
        return (number < 0 ? -1 : 1) * Int(minutes) * 60
    }
}
