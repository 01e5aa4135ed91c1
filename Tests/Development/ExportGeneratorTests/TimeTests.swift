import ByteText
import ExportGenerator
import Testing

@testable import struct ExportGenerator.HomeTimeZone

@Suite("Dates and times")
struct TimeTests {
    @Test("the offset of the export is the offset of the document")
    func offset() throws {
        let written = Timestamp(apple: Array("2025-07-01 12:00:00 -0930".utf8).span)
        let date = try #require(written)
        let text = export { $0.exportDate = date }.xmlText
        #expect(text.contains("<ExportDate value=\"2025-07-01 12:00:00 -0930\"/>"))
        #expect(text.contains("HKTimeZone\" value=\"Etc/GMT+9\""))
    }

    @Test("summer time in Central Europe begins and ends on the last Sundays of March and October")
    func summerTime() {
        let home = HomeTimeZone(offsetMinutes: 60)
        // 2024-03-31 01:00 and 2024-10-27 01:00 in Greenwich.
        #expect(home.time(at: 1_711_846_799).offsetMinutes == 60)
        #expect(home.time(at: 1_711_846_800).offsetMinutes == 120)
        #expect(home.time(at: 1_729_990_799).offsetMinutes == 120)
        #expect(home.time(at: 1_729_990_800).offsetMinutes == 60)
    }

    @Test(
        "times of heartbeats follow the language",
        arguments: [
            ("en_US", #" time="1?\d:\d\d:\d\d\.\d\d\x{202F}[AP]M""#),
            ("de_DE", #" time="\d\d:\d\d:\d\d,\d\d""#),
            ("zh_CN", #" time="\d\d:\d\d:\d\d\.\d\d""#),
        ])
    func heartbeats(locale: String, form: String) throws {
        let export = export { $0.locale = locale }
        let beats = export.census().elements[
            "Record/HeartRateVariabilityMetadataList/InstantaneousBeatsPerMinute", default: 0]
        #expect(beats > 20)
        #expect(export.xmlText.matches(of: try Regex(form)).count == beats)
    }
}
