import AppleHealthExport
import ByteText
import DocumentTesting
import SampleBatches
import SystemIO
import Testing

/// Rows that nobody keeps.
private struct NoRows: RowSink {
    mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, cells: Span<Int>,
        text: Span<UInt8>, size: Int
    ) {}
}

@Suite("What a document may have of everything")
struct DocumentLimitTests {
    private func failure(_ bytes: [UInt8]) -> ExportError? {
        var reader = DocumentReader(MemoryStream(bytes), name: "document")
        var sink = NoRows()
        do throws(ExportError) {
            while try reader.advance(into: &sink) {}
            return nil
        } catch { return error }
    }

    // SECURITY.md: "4 MiB"
    @Test("is 4 MiB for an element, and not a byte more", arguments: [false, true])
    func element(isNested: Bool) {
        let (before, after) =
            isNested
            ? ("<Record type=\"T\"><MetadataEntry key=\"", "\"/></Record>") : ("<Record value=\"", "\"/>")
        let room = DocumentReader.longestElement - before.utf8.count - after.utf8.count
        #expect(DocumentReader.longestElement == 4 << 20)
        for (count, isTooLarge) in [(room - 2, false), (room + 1, true)] {
            let element = before + String(repeating: "x", count: count) + after
            let error = failure(document(element))
            #expect(error?.code == (isTooLarge ? .elementTooLarge : nil))
            // The place is that of the element.
            if isTooLarge { #expect(error?.offset == document("").count - "\n</HealthData>\n".utf8.count) }
        }
    }

    static let mostAttributes = 4096

    @Test("is 4096 attributes for an element, of a row or nested in one", arguments: [0, 1])
    func attributes(more: Int) {
        let attributes = (0..<(Self.mostAttributes + more)).map { " a\($0)=\"\"" }.joined()
        for element in ["<Record\(attributes)/>", "<Record><a\(attributes)/></Record>"] {
            #expect(failure(document(element))?.code == (more == 0 ? nil : .tooManyParts))
        }
        #expect(Self.mostAttributes == BatchContext.mostSlots)
    }

    static let most = 131_072

    /// Each start and end tag counts, and each attribute: text may stand before it.
    // SECURITY.md: "131,072 nested elements, attributes and texts"
    @Test(
        "is as many nested elements, with their attributes and the texts between them",
        arguments: [
            ("<a/>", 65_536), ("<a></a>", 43_690), ("<a b=\"\" c=\"\"/>", 32_768), ("<!---->", most),
            ("x<a/>", 65_536), ("<![CDATA[]]>", most),
        ])
    func nested(element: String, most: Int) {
        for (count, isTooMany) in [(most, false), (most + 1, true), (2 * most, true)] {
            let content = String(repeating: element, count: count)
            let error = failure(document("<Record>\(content)</Record>"))
            #expect((error?.code == .tooManyParts) == isTooMany, "\(element) \(count)")
        }
    }

    @Test("is also 32 MiB of paths, which repeat the names around them", arguments: ["<b/>", "<b c=\"\"/>"])
    func paths(element: String) {
        let name = String(repeating: "a", count: 1 << 20)
        for (count, isTooMany) in [(10, false), (40, true)] {
            let content = "<\(name)>" + String(repeating: element, count: count) + "</\(name)>"
            let error = failure(document("<Record>\(content)</Record>"))
            #expect((error?.code == .tooManyParts) == isTooMany, "\(count)")
        }
    }

    @Test("is what one element has, and not all of them together")
    func several() throws {
        let record = "<Record>" + String(repeating: "<a/>", count: 40_000) + "</Record>"
        #expect(failure(document([record, record, record].joined(separator: "\n"))) == nil)
    }

    /// Names of elements and types are counted as long as the document is read.
    // SECURITY.md: "8 MiB in total, counting each with 32 bytes more"
    @Test("is 8 MiB of names", arguments: ["<Record type=\"#\"/>", "<# a=\"1\"/>", "<Record><#/></Record>"])
    func names(element: String) {
        let parts = element.split(separator: "#", omittingEmptySubsequences: false)
        func named(_ name: String) -> String { "\(parts[0])\(name)\(parts[1])" }
        let long = String(repeating: "n", count: 1000)
        for (count, isTooMany) in [(7500, false), (8500, true)] {
            let elements = (0..<count).map { named("\(long)\($0)") }
            let error = failure(document(elements.joined(separator: "\n")))
            #expect((error?.code == .tooManyNames) == isTooMany, "\(count)")
        }
        // Short ones take memory too.
        let short = (0..<260_000).map { named("n\($0)") }
        #expect(failure(document(short.joined(separator: "\n")))?.code == .tooManyNames)
        // The same name again takes none.
        let same = [String](repeating: named(long), count: 9000)
        #expect(failure(document(same.joined(separator: "\n"))) == nil)
    }
}
