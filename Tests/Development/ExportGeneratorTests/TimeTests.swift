import ExportGenerator
import Testing

@testable import struct ExportGenerator.CivilDate
@testable import struct ExportGenerator.HomeTimeZone

@Suite("Dates and times")
struct TimeTests {
    @Test("an export date is read from Apple's form")
    func exportDate() {
        let date = GeneratedExport.Options.ExportDate("2026-01-15 09:30:00 +0100")
        #expect(date == GeneratedExport.Options().exportDate)
        #expect(GeneratedExport.Options.ExportDate("1970-01-01 00:00:00 -0530")?.secondsSince1970 == 19_800)
        #expect(GeneratedExport.Options.ExportDate("2024-02-29 00:00:00 +0000") != nil)
    }

    @Test(
        "anything else is no export date",
        arguments: [
            "", "2026-01-15", "2026-01-15T09:30:00 +0100", "2026-01-15 09:30:00 +01:00",
            "2026-01-15 09:30:00 00100", "2026-02-30 09:30:00 +0100", "2026-13-01 09:30:00 +0100",
            "2026-01-15 24:00:00 +0100", "2026-01-15 09:60:00 +0100", "2026-01-15 09:30:00 +1500",
            "٢٠٢٦-01-15 09:30:00 +0100",
        ])
    func noExportDate(text: String) {
        #expect(GeneratedExport.Options.ExportDate(text) == nil)
    }

    @Test("the offset of the export is the offset of the document")
    func offset() throws {
        let date = try #require(GeneratedExport.Options.ExportDate("2025-07-01 12:00:00 -0930"))
        let text = export { $0.exportDate = date }.xmlText
        #expect(text.contains("<ExportDate value=\"2025-07-01 12:00:00 -0930\"/>"))
        #expect(text.contains("HKTimeZone\" value=\"Etc/GMT+9\""))
    }

    @Test("days and dates turn into each other for eight centuries")
    func civilDates() {
        #expect(CivilDate(daysSince1970: 0) == CivilDate(year: 1970, month: 1, day: 1))
        #expect(CivilDate(daysSince1970: -1) == CivilDate(year: 1969, month: 12, day: 31))
        #expect(CivilDate(daysSince1970: 11_016) == CivilDate(year: 2000, month: 2, day: 29))
        for day in stride(from: -146_097, through: 146_097, by: 1) {
            #expect(CivilDate(daysSince1970: day).daysSince1970 == day)
        }
    }

    @Test("summer time in Central Europe begins and ends on the last Sundays of March and October")
    func summerTime() {
        let home = HomeTimeZone(offsetSeconds: 3600)
        // 2024-03-31 01:00 and 2024-10-27 01:00 in Greenwich.
        #expect(home.offset(at: 1_711_846_799) == 3600)
        #expect(home.offset(at: 1_711_846_800) == 7200)
        #expect(home.offset(at: 1_729_990_799) == 7200)
        #expect(home.offset(at: 1_729_990_800) == 3600)
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
