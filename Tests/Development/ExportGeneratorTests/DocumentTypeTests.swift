import ExportGenerator
import Testing

@Suite("Each version declares and contains what its systems wrote")
struct DocumentTypeTests {
    @Test("the declaration names its version", arguments: GeneratedExport.Options.DTDVersion.allCases)
    func number(version: GeneratedExport.Options.DTDVersion) {
        let text = text(version)
        #expect(text.contains("<!-- HealthKit Export Version: \(version.rawValue) -->\n"))
        #expect(text.contains("\n]>\n<HealthData "))
    }

    @Test("without a version there is no declaration")
    func none() {
        let text = text(nil)
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale="))
        #expect(!text.contains("<!"))
    }

    @Test(
        "each version declares as many elements as the real one",
        arguments: [
            (GeneratedExport.Options.DTDVersion.v3, 9), (.v8, 14), (.v11, 16), (.v12, 22), (.v13, 22),
            (.v14, 22),
        ])
    func elements(version: GeneratedExport.Options.DTDVersion, count: Int) {
        #expect(text(version).matches(of: #/<!ELEMENT /#).count == count)
    }

    @Test("version 12 is not well-formed in line 156, as reported for the real one")
    func malformed() {
        let lines = text(.v12).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[154] == "  brand            CDATA #IMPLIED")
        #expect(lines[155] == "<!ELEMENT RightEye EMPTY>")
        #expect(lines[205] == "  device           CDATA #IMPLIED")
        #expect(lines[206] == "<!ELEMENT MetadataEntry EMPTY>")
        #expect(lines[210...212] == [">", ">", "]>"])
    }

    @Test("version 3 has totals as attributes and no routes, heartbeats or clinical records")
    func version3() {
        let text = text(.v3)
        #expect(text.contains(" totalEnergyBurned="))
        for name in ["WorkoutRoute", "InstantaneousBeats", "ClinicalRecord", "WorkoutStatistics"] {
            #expect(!text.contains(name), "\(name)")
        }
    }

    @Test("version 8 has locations inside its routes, later ones refer to files")
    func routes() {
        #expect(text(.v8).contains("   <Location date="))
        #expect(!text(.v8).contains("FileReference"))
        #expect(text(.v11).contains("   <FileReference path=\"/workout-routes/route_"))
    }

    @Test("version 11 writes an attribute that it declares under another name")
    func moveTime() {
        let text = text(.v11)
        #expect(text.contains("appleMoveMinutes         CDATA"))
        #expect(text.contains(" appleMoveTime=\""))
    }

    @Test("since version 12 totals are statistics, in the workout and in its activities")
    func statistics() {
        for version in [GeneratedExport.Options.DTDVersion.v12, .v13, .v14] {
            #expect(!text(version).contains(" totalEnergyBurned="))
            #expect(text(version).contains("\n  <WorkoutStatistics "))
            #expect(text(version).contains("\n   <WorkoutStatistics "))
        }
    }

    @Test("sleep has stages since version 12")
    func sleep() {
        #expect(text(.v11).contains("SleepAnalysisAsleep\""))
        #expect(!text(.v11).contains("AsleepCore"))
        #expect(text(.v14).contains("AsleepCore"))
    }

    private func text(_ version: GeneratedExport.Options.DTDVersion?) -> String {
        export { $0.dtdVersion = version }.xmlText
    }
}
