import AppleHealthExport
import DocumentTesting
import ExportGenerator
import Testing

@Suite("However a document is read, the same comes out of it")
struct ReadingPathTests {
    private func generated(
        _ bytes: Int, shape: GeneratedExport.Options.Shape = .ordinary,
        version: GeneratedExport.Options.DTDVersion? = .v14
    ) -> [UInt8] {
        var document: [UInt8] = []
        let export = GeneratedExport(
            GeneratedExport.Options(seed: 7, xmlBytes: bytes, shape: shape, dtdVersion: version))
        export.writeXML { chunk in for index in chunk.indices { document.append(chunk[index]) } }
        return document
    }

    @Test(
        "by the bytes of its start tags or attribute by attribute",
        arguments: GeneratedExport.Options.Shape.allCases)
    func templates(_ shape: GeneratedExport.Options.Shape) throws {
        let document = generated(150_000, shape: shape)
        #expect(try Reading(document) == Reading(document, usesTemplates: false))
    }

    @Test("with times that are nearly Apple's, before and behind some that are")
    func times() throws {
        let time = Array("2020-02-28 12:34:56 +0000".utf8)
        // What a reader that has read no time yet must not take for one.
        let blank =
            [UInt8](repeating: 0xff, count: 8) + [0, 0, 0] + Array("12".utf8) + [0] + Array("34".utf8) + [0]
            + Array("56".utf8) + [UInt8](repeating: 0, count: 6)
        var others = [blank]
        for place in time.indices {
            for byte in "0123456789:/- +ab\u{0}\u{b}".utf8 {
                var other = time
                other[place] = byte
                others.append(other)
            }
        }
        func row(_ time: [UInt8]) -> [UInt8] {
            Array("<Record type=\"t\" startDate=\"".utf8) + time + Array("\" value=\"1\"/>\n".utf8)
        }
        for other in others {
            for times in [[time, other, time], [time, time, other, other], [other, time, other]] {
                let document =
                    Array("<HealthData locale=\"en\">\n".utf8) + times.flatMap(row)
                    + Array("</HealthData>\n".utf8)
                #expect(try Reading(document) == Reading(document, usesTemplates: false))
            }
        }
    }

    @Test(
        "with times that follow each other, every byte of them and between them in turn another one",
        arguments: 1...6)
    func timesBesideOthers(_ count: Int) throws {
        // Up to four are read together, of which the start need not be one.
        let names =
            count < 6
            ? ["creationDate", "startDate", "endDate", "date", "receivedDate"]
            : ["creationDate", "endDate", "date", "receivedDate", "startDate", "expirationDate"]
        let times = (0..<count).map { "\(names[$0])=\"2020-02-28 12:3\($0):56 +0000\"" }
            .joined(separator: " ")
        let row = Array("<Record type=\"t\" source=\"s\" \(times) value=\"1\"/>\n".utf8)
        let moved = row.map { $0 == UInt8(ascii: "6") ? UInt8(ascii: "7") : $0 }
        for place in row.indices.dropFirst(20).dropLast(3) {
            for byte in "059:a\" ".utf8 {
                var other = row
                other[place] = byte
                let rows = row + moved + other + other + moved + row
                let bytes = document(String(decoding: rows, as: UTF8.self))
                let fast = Self.result { try Reading(bytes) }
                #expect(fast == Self.result { try Reading(bytes, usesTemplates: false) }, "\(place)")
            }
        }
    }

    private static func result(_ body: () throws -> Reading) -> Result<Reading, ExportError> {
        do { return .success(try body()) } catch {
            guard let error = error as? ExportError else { fatalError("\(error)") }
            return .failure(error)
        }
    }

    @Test("with a day before the first time")
    func days() throws {
        let row = { (day: Int) in
            "<ActivitySummary dateComponents=\"2024-01-0\(day)\" creationDate=\"2024-01-09 10:00:00 +0000\"/>"
        }
        let bytes = document([1, 1, 1, 1, 2, 2, 2].map(row).joined(separator: "\n"))
        let reading = try Reading(bytes)
        #expect(try reading == Reading(bytes, usesTemplates: false))
        #expect(!reading.starts.dropFirst().contains(nil))
    }

    @Test(
        "of every version", arguments: GeneratedExport.Options.DTDVersion.allCases.map(Optional.init) + [nil])
    func versions(_ version: GeneratedExport.Options.DTDVersion?) throws {
        let document = generated(60_000, version: version)
        let reading = try Reading(document)
        #expect(try reading == Reading(document, usesTemplates: false))
        #expect(reading.oddities.isEmpty)
    }

    @Test("wherever a window ends")
    func windows() throws {
        let document = generated(60_000)
        let whole = try Reading(document)
        for size in stride(from: 20_000, to: 20_700, by: 37) {
            #expect(try Reading(document, windowSize: size) == whole)
        }
    }

    @Test(
        "wherever a window ends in a comment of the document type, with an end or without",
        arguments: ["-->", ""])
    func windowsInComments(_ end: String) throws {
        for length in [10_000, 40_000, 300_000, 1_040_000, 1_200_000, 2_100_000] {
            let comment = "<!-- ]>\n<HealthData>\n " + String(repeating: "- ", count: length / 2) + end
            let rows = "<Record type=\"t\" value=\"1\"/>\n</HealthData>\n"
            let bytes = Array(
                "<!DOCTYPE HealthData [\n\(comment)\n]>\n<HealthData locale=\"en\">\n\(rows)".utf8)
            let whole = Self.result { try Reading(bytes, windowSize: 1 << 19) }
            for size in [1 << 15, 1 << 16, 1 << 18] {
                #expect(Self.result { try Reading(bytes, windowSize: size) } == whole, "\(length)")
            }
        }
    }

    @Test("wherever a window ends in a literal of the document type that says what may end it")
    func windowsInLiterals() throws {
        let before = "<!DOCTYPE HealthData [\n<!ATTLIST x \"" + String(repeating: " ", count: 32_700)
        let literal = "]>\n<HealthData>" + String(repeating: " ", count: 100)
        let rows = "\">\n]>\n<HealthData locale=\"en\">\n<Record type=\"t\" value=\"1\"/>\n</HealthData>\n"
        for line in ["", "\n"] {
            let bytes = Array((before + line + literal + rows).utf8)
            let whole = Self.result { try Reading(bytes, windowSize: 1 << 18) }
            #expect(Self.result { try Reading(bytes, windowSize: 1 << 15) } == whole)
        }
    }

    @Test("ahead of who reads it, with elements that fit a window and that do not", arguments: [1, 50, 3000])
    func ahead(_ repetitions: Int) async throws {
        let note = String(repeating: "note ", count: 20 * repetitions)
        let more = "<Record type=\"t\" note=\"\(note)\"/>\n<Workout/>\n</HealthData>\n"
        let whole = generated(60_000).dropLast("</HealthData>\n".utf8.count) + Array(more.utf8)
        let reading = try Reading(whole)
        for size in stride(from: 20_000, to: 20_700, by: 233) {
            #expect(try Reading(whole, windowSize: size) == reading)
            #expect(try await Reading.ahead(whole, windowSize: size) == reading)
            #expect(try await Reading.ahead(whole, piece: 999, windowSize: size) == reading)
        }
        #expect(try await Reading.ahead(whole) == reading)
    }

    @Test("in large windows, with elements about as long as what is kept in front of one")
    func largeElements() async throws {
        var document = generated(100_000).dropLast("</HealthData>\n".utf8.count)
        for length in [32_000, 32_768, 33_000, 45_000, 200_000, 300_000, 40_000, 16_384, 32_769] {
            let note = String(repeating: "n", count: length)
            document += Array("<Workout note=\"\(note)\"/>\n<Record type=\"t\" value=\"1\"/>\n".utf8)
            document += Array("<Workout><MetadataEntry key=\"\(note)\" value=\"\"/></Workout>\n".utf8)
        }
        let bytes = Array(document) + Array("</HealthData>\n".utf8)
        let whole = try Reading(bytes, windowSize: 1 << 22)
        for size in [60_000, 65_537, 100_000, 1 << 18] {
            #expect(try Reading(bytes, windowSize: size) == whole)
            #expect(try await Reading.ahead(bytes, windowSize: size) == whole)
        }
    }

    @Test("ahead, with the same error at the same place", arguments: [30_000, 41_000, 59_000])
    func aheadWithErrors(_ place: Int) async throws {
        var document = generated(60_000)
        document[place] = UInt8(ascii: "<")
        document[place + 1] = UInt8(ascii: "<")
        let expected = Self.error { _ = try Reading(document, windowSize: 20_001) }
        do {
            _ = try await Reading.ahead(document, windowSize: 20_001)
            Issue.record("no error")
        } catch { #expect(error as? ExportError == expected) }
    }

    private static func error(_ body: () throws -> Void) -> ExportError? {
        do {
            try body()
            return nil
        } catch { return error as? ExportError }
    }

    @Test("however few bytes come at once", arguments: [1, 2, 7, 4095, 4096, 4097])
    func pieces(_ piece: Int) throws {
        let document = generated(30_000)
        #expect(try Reading(document, piece: piece) == Reading(document))
    }

    @Test("as many elements as were generated", arguments: GeneratedExport.Options.Shape.allCases)
    func census(_ shape: GeneratedExport.Options.Shape) throws {
        let export = GeneratedExport(GeneratedExport.Options(seed: 3, xmlBytes: 120_000, shape: shape))
        var document: [UInt8] = []
        let census = export.writeXML { chunk in for index in chunk.indices { document.append(chunk[index]) } }
        #expect(
            try Reading(document).counts.filter { $0.key != "HealthData" }
                == census.elements.filter { $0.key != "HealthData" })
    }

    @Test("with templates and without them, for adversarial documents", arguments: 60..<100)
    func eitherWay(_ seed: Int) throws {
        let bytes = AdversarialDocument(seed: UInt64(seed)).bytes
        #expect(try Reading(bytes) == Reading(bytes, usesTemplates: false))
    }
}
