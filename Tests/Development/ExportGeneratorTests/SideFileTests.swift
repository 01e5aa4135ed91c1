import ExportGenerator
import Testing

@Suite("Files beside the document")
struct SideFileTests {
    @Test("a handful of each kind, with names that are distinct and look like Apple's")
    func names() {
        let names = export().sideFileList.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count { $0.wholeMatch(of: Self.route) != nil } == 6)
        #expect(names.count { $0.wholeMatch(of: Self.electrocardiogram) != nil } == 3)
        #expect(names.count { $0.hasPrefix("clinical-records/") && $0.hasSuffix(".json") } == 5)
        #expect(names.contains { $0.hasPrefix("attachments/") })
        #expect(names.last == "export_cda.xml")
    }

    @Test("heavy: hundreds of files, all with names of their own, even within one year", arguments: [1, 10])
    func heavy(years: Int) {
        let names = export { options in
            options.sideFiles = .heavy
            options.years = years
        }.sideFileList.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count { $0.hasPrefix("workout-routes/") } == 500)
        #expect(names.count { $0.hasPrefix("electrocardiograms/") } == 50)
        #expect(names.count { $0.hasPrefix("electrocardiograms/") && $0.hasSuffix("_1.csv") } == 10)
    }

    @Test(
        "all that the document refers to is there",
        arguments: [GeneratedExport.Options.SideFiles.some, .heavy])
    func references(sideFiles: GeneratedExport.Options.SideFiles) {
        let export = export { options in
            options.sideFiles = sideFiles
            options.xmlBytes = 2_000_000
        }
        let names = Set(export.sideFileList.map(\.name))
        let paths = export.xmlText.matches(of: #/(?:path|resourceFilePath)="\/([^"]*)"/#).map(\.1)
        #expect(paths.count > 5)
        #expect(paths.allSatisfy { names.contains(String($0)) })
        for match in export.xmlText.matches(of: #/<Attachment identifier="([^"]*)"/#) {
            #expect(names.contains("attachments/\(match.1).pdf"))
        }
    }

    @Test("versions have only the kinds of files that they knew")
    func versions() {
        #expect(folders(.v3) == ["export_cda.xml"])
        #expect(folders(.v8) == ["electrocardiograms", "clinical-records", "export_cda.xml"])
        #expect(folders(.v11).contains("workout-routes") && !folders(.v11).contains("attachments"))
    }

    @Test("an electrocardiogram is eight lines, the lead, and half a minute of samples")
    func electrocardiogram() throws {
        let export = export()
        let files = export.sideFileList.filter { $0.name.hasPrefix("electrocardiograms/") }
        let lines = export.text(of: try #require(files.first)).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[3] == "Classification,Sinus Rhythm")
        #expect(lines[7...12] == ["Sample Rate,512 hertz", "", "", "Lead,Lead I", "Unit,µV", ""])
        #expect(lines.count == 13 + 15_360 + 1)
        #expect(lines[13..<15_373].allSatisfy { Double($0) != nil })
    }

    @Test("one electrocardiogram is in German, with a decimal comma")
    func germanElectrocardiogram() throws {
        let export = export()
        let texts = export.sideFileList.filter { $0.name.hasPrefix("electrocardiograms/") }.map(export.text)
        let german = try #require(texts.first { $0.contains("Klassifizierung,") })
        #expect(texts.count { $0.contains("Klassifizierung,") } == 1)
        #expect(german.contains("Messrate,511,562\u{A0}Hertz\n"))
        #expect(!german.split(separator: "\n").dropFirst(10).contains { $0.contains(".") })
    }

    @Test("a route's name and the file's name show the same local time, its points that of Greenwich")
    func route() throws {
        let export = export()
        let file = try #require(export.sideFileList.first)
        let text = export.text(of: file)
        let name = try #require(file.name.wholeMatch(of: Self.route))
        #expect(text.contains("<name>Route \(name.1) \(name.2):\(name.3)\(name.4)</name>"))
        #expect(text.matches(of: #/<trkpt lon="[-0-9.]+" lat="[-0-9.]+"><ele>/#).count > 50)
        #expect(text.hasSuffix("</gpx>\n"))
    }

    @Test("the heavy clinical document is a third of the main one and has a second root")
    func clinicalDocument() throws {
        let export = export { options in
            options.sideFiles = .heavy
            options.xmlBytes = 900_000
        }
        let bytes = export.bytes(of: try #require(export.sideFileList.last))
        #expect(abs(bytes.count - 300_000) < 3000)
        #expect(
            String(decoding: bytes, as: UTF8.self).hasSuffix("</ClinicalDocument>\n<ClinicalDocument/>\n"))
    }

    private static var route: Regex<(Substring, Substring, Substring, Substring, Substring)> {
        #/workout-routes\/route_(\d{4}-\d\d-\d\d)_(\d+)\.(\d\d)(am|pm)\.gpx/#
    }

    private static var electrocardiogram: Regex<Substring> {
        #/electrocardiograms\/ecg_\d{4}-\d\d-\d\d\.csv/#
    }

    private func folders(_ version: GeneratedExport.Options.DTDVersion) -> [String] {
        let names = export { $0.dtdVersion = version }.sideFileList.map(\.name)
        var folders: [String] = []
        for name in names {
            let folder = String(name.prefix { $0 != "/" })
            if folders.last != folder { folders.append(folder) }
        }
        return folders
    }
}
