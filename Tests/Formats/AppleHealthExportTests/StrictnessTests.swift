import AppleHealthExport
import DocumentTesting
import Testing

@Suite("Where data would be lost, reading ends with the place")
struct StrictnessTests {
    private func failure(_ bytes: [UInt8]) -> ExportError? {
        do {
            _ = try Reading(bytes)
            return nil
        } catch { return error as? ExportError }
    }

    static let malformed: [(String, ExportError.Problem)] = [
        ("<Record type=\"T\" value=1/>", .attributeWithoutQuotes),
        ("<Record type=\"T\" value/>", .attributeWithoutValue),
        ("<Record type=\"T\" value=\"1/>\n<Record type=\"T\"/>", .lessThanInAttribute),
        ("<Record type=\"T\"><MetadataEntry></Record>", .endTagMismatch),
        ("<Record type=\"T\"></Workout>", .endTagMismatch),
        ("</Record>", .unexpectedEndTag),
        ("<Record type=\"T\"/ >", .startTag), ("<>", .startTag),
        ("<Record type=\"T\"value=\"1\"/>", .startTag),
        ("<!WRONG>", .unterminatedMarkup),
    ]

    @Test("malformed XML", arguments: malformed)
    func malformedXML(_ elements: String, _ problem: ExportError.Problem) {
        let error = failure(document(elements))
        #expect(error?.code == .malformed(problem))
        #expect((error?.offset ?? 0) >= 45)
    }

    @Test("every cut of a document is truncated, empty, or no document")
    func cuts() throws {
        let whole = document(
            "<Record type=\"T\" value=\"1\"><MetadataEntry key=\"k\" value=\"v\"/></Record>\n<Workout a='1'/>"
        )
        let end = try #require(whole.lastIndex(of: UInt8(ascii: ">")))
        for length in 0...end {
            let error = failure([UInt8](whole[..<length]))
            #expect([.truncated, .empty, .noHealthDocument].contains(error?.code), "length \(length)")
        }
        #expect(failure([UInt8](whole[...end])) == nil)
    }

    @Test("an end tag that spells the name in another way, also behind content that was met before")
    func equivalentEndTags() {
        let (name, other) = ("caf\u{e9}", "cafe\u{301}")
        let sound = "<\(name)><a/></\(name)>"
        #expect(failure(document(sound)) == nil)
        #expect(
            failure(document(sound + "<\(other)><a/></\(name)>"))?.code == .malformed(.endTagMismatch))
    }

    @Test("an entity declaration")
    func entities() {
        let bytes = Array("<!DOCTYPE HealthData [<!ENTITY a \"b\">]><HealthData/>".utf8)
        #expect(failure(bytes)?.code == .entityDeclaration)
    }

    @Test(
        "another encoding",
        arguments: [[0xff, 0xfe, 0x3c, 0x00], [0xfe, 0xff, 0x00, 0x3c], [0x3c, 0x00, 0x3f, 0x00]])
    func encodings(_ start: [UInt8]) {
        #expect(failure(start + [UInt8](repeating: 0x20, count: 100))?.code == .unsupportedEncoding)
    }

    @Test("an encoding that is declared")
    func declaredEncoding() {
        let bytes = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><HealthData/>".utf8)
        #expect(failure(bytes)?.code == .unsupportedEncoding)
    }

    // SECURITY.md: "64 levels"
    @Test(
        "nesting up to the limit, and one more",
        arguments: [(62, false), (63, false), (64, true), (100, true)])
    func nesting(_ depth: Int, _ isTooDeep: Bool) {
        let elements =
            "<Record type=\"T\">" + String(repeating: "<X>", count: depth)
            + String(repeating: "</X>", count: depth)
            + "</Record>"
        #expect((failure(document(elements))?.code == .nestedTooDeep) == isTooDeep)
    }

    @Test("an element larger than the reader takes")
    func largeElement() {
        let value = String(repeating: "x", count: DocumentReader.longestElement)
        #expect(failure(document("<Record type=\"T\" value=\"\(value)\"/>"))?.code == .elementTooLarge)
    }

    @Test("something behind the root")
    func behindTheRoot() {
        #expect(
            failure(document("") + Array("<ClinicalDocument/>".utf8))?.code == .malformed(.contentAfterEnd))
        #expect(failure(document("") + Array(" <!-- fine -->\n".utf8)) == nil)
    }

    @Test("nothing about health")
    func foreignRoot() {
        #expect(failure(Array("<?xml version=\"1.0\"?><ClinicalDocument/>".utf8)) != nil)
    }
}
