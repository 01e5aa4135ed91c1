import ByteText
import ExportGenerator
import SampleBatches
import Testing

@testable import AppleHealthExport

@Suite("The form of a start tag")
struct ElementFormTests {
    private static let tags =
        [
            #"<Record a="1" bc="2"/>"#, #"<Record ab="1" c="2"/>"#, #"<Record a="1"/>"#, #"<Record/>"#,
            #"<Recorda b="1"/>"#, #"<Record bc="2" a="1"/>"#, #"<Record type="t" type="u"/>"#,
            #"<Record type="t" type="u" type="v" value="1"/>"#, #"<Workout value="1"/>"#,
            #"<MetadataEntry value="1"/>"#, "<Record \(String(repeating: "n", count: 3000))=\"1\"/>",
        ] + (0..<20).map { "<Record n\($0)=\"1\"/>" }

    private static func tag(_ text: String) throws -> StartTag {
        var tag = StartTag()
        try MarkupReader.startTag(Array(text.utf8).span, at: 0, into: &tag)
        return tag
    }

    private static func properties(_ form: ElementForm) -> [String] {
        [form.element, "\(form.attributes)", "\(form.duplicates)", "\(form.unknownAttributes.count)"]
    }

    @Test("is that of its own names, whatever tags came before", arguments: 0..<20)
    func own(round: Int) throws {
        var random = SplitMix64(seed: UInt64(round))
        var forms = ElementForms()
        var census = Census()
        for _ in 0..<200 {
            let text = random.pick(from: Self.tags)
            let tag = try Self.tag(text)
            let bytes = Array(text.utf8)
            forms.use(bytes.span, tag, &census)
            var another = Census()
            let own = ElementForm(bytes.span, tag, &another)
            #expect(Self.properties(forms.last) == Self.properties(own), "\(text)")
            // Counted under the same names.
            let before = census
            for index in [forms.last.censusIndex] + forms.last.unknownAttributes { census.add(index, 1) }
            for index in [own.censusIndex] + own.unknownAttributes { another.add(index, 1) }
            #expect(Self.increase(census.counts, before.counts) == another.counts, "\(text)")
            #expect(
                Self.increase(census.unknownAttributes, before.unknownAttributes)
                    == another.unknownAttributes, "\(text)")
        }
    }

    private static func increase(_ after: [ExactName: Int], _ before: [ExactName: Int]) -> [ExactName: Int] {
        after.merging(before) { $0 - $1 }.filter { $0.value > 0 }
    }

    @Test("is not kept beside others if its names are long", arguments: 1..<6)
    func long(distance: Int) throws {
        var forms = ElementForms()
        var census = Census()
        for round in 0..<20 {
            let name = String(repeating: "n", count: 3000 + round)
            let texts = ["<x \(name)=\"1\"/>"] + (0..<distance).map { "<y a\($0)=\"1\"/>" }
            for text in texts {
                forms.use(Array(text.utf8).span, try Self.tag(text), &census)
                #expect(forms.forms.dropFirst().allSatisfy { $0.length < 3000 } && forms.forms.count <= 8)
            }
        }
    }

    @Test("keeps a context for the next kind, unless that takes much memory")
    func contexts() throws {
        let text = Self.tags[0]
        var census = Census()
        var form = ElementForm(Array(text.utf8).span, try Self.tag(text), &census)
        let short = BatchContext(slots: [.text(name: "a")])
        form.keep(short)
        form.keep(
            BatchContext(slots: [
                .constant(name: "a", text: [UInt8](repeating: 0x31, count: 5000)), .text(name: "bc"),
            ]))
        #expect(form.context === short)
    }
}
