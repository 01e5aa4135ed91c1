import ByteText
import SampleBatches
import Testing

@testable import AppleHealthExport

@Suite("Kinds of rows that were met")
struct KindCacheTests {
    private func row(_ start: String, _ end: String) -> [UInt8] {
        Array("<Record type=\"t\" startDate=\"\(start)\" endDate=\"\(end)\" value=\"1\"/>\n".utf8)
    }

    @Test("are recognised by their bytes, those too that differ by the offsets of their times alone")
    func offsets() throws {
        let (winter, summer) = ("2023-01-05 10:00:00 +0100", "2023-07-05 10:00:00 +0200")
        let rows = [row(winter, winter), row(summer, summer), row(winter, summer), row(summer, winter)]
        var kinds = KindCache(usesTemplates: true)
        var census = Census()
        var values = RowValues()
        var met: [(kind: RowKind, start: Timestamp?, values: RowValues)] = []
        for bytes in rows {
            var tag = StartTag()
            try MarkupReader.startTag(bytes.span, at: 0, into: &tag)
            let (kind, start, _) = kinds.kind(bytes.span, tag, isCompilable: true, &census, &values)
            met.append((kind, start, values))
        }
        #expect(Set(met.map(\.kind.identifier)).count == rows.count)
        var times = TimeReader()
        for _ in 0..<3 {
            for (bytes, row) in zip(rows, met) {
                var rows = RowBlock(columns: TemplateCache.mostHoles)
                var lead = RowTemplate.Pattern.Lead()
                var target = rows.cells.mutableSpan
                let match = kinds.templates.match(bytes.span, at: 0, after: &lead, &times, &target)
                rows.startOffset = match?.template.pattern.startOffset
                let cells = rows.values(of: 0, columns: 3)
                #expect(match?.template.kind === row.kind && match?.template.pattern.count == 3)
                #expect(rows.start(of: 0) == row.start)
                #expect(rows.size(of: 0) == row.values.size)
                #expect(Array(cells.prefix(2)) == Array(row.values.cells.prefix(2)))
                #expect(TokenPlace(code: cells[2]).range.map { bytes[$0] } == row.values.text)
            }
        }
    }

    @Test("have a template for each spelling, unless it is long")
    func spellings() throws {
        let spellings = [
            "<Record type=\"t\" value=\"1\"/>", "<Record type=\"t\"  value=\"1\" />",
            "<Record\ntype=\"t\" value=\"1\"/>",
            "<Record type=\"t\"\(String(repeating: " ", count: 5000))value=\"1\"/>",
        ]
        var kinds = KindCache(usesTemplates: true)
        var census = Census()
        var values = RowValues()
        var times = TimeReader()
        for _ in 0..<2 {
            var recognised: [Bool] = []
            for spelling in spellings {
                let bytes = Array((spelling + "\n").utf8)
                var tag = StartTag()
                try MarkupReader.startTag(bytes.span, at: 0, into: &tag)
                _ = kinds.kind(bytes.span, tag, isCompilable: true, &census, &values)
            }
            for spelling in spellings {
                let bytes = Array((spelling + "\n").utf8)
                var rows = RowBlock(columns: TemplateCache.mostHoles)
                var lead = RowTemplate.Pattern.Lead()
                var target = rows.cells.mutableSpan
                let match = kinds.templates.match(bytes.span, at: 0, after: &lead, &times, &target)
                recognised.append(match != nil && rows.size(of: 0) == values.size)
            }
            #expect(recognised == [true, true, true, false])
        }
    }

    @Test("are recognised in any order, many of each type")
    func order() throws {
        let types =
            (0..<40).map { "HKQuantityTypeIdentifierKind\($0)\(String(repeating: "x", count: 30))" } + [
                "short"
            ]
        let rows = (0..<50).flatMap { version in
            types.map { type in
                Array(
                    "<Record type=\"\(type)\" sourceVersion=\"v\(version)\" unit=\"\(version)\" value=\"1\"/>\n"
                        .utf8)
            }
        }
        var kinds = KindCache(usesTemplates: true)
        var census = Census()
        var values = RowValues()
        var met: [RowKind] = []
        for bytes in rows {
            var tag = StartTag()
            try MarkupReader.startTag(bytes.span, at: 0, into: &tag)
            met.append(kinds.kind(bytes.span, tag, isCompilable: true, &census, &values).0)
        }
        var times = TimeReader()
        for step in [1, 41, 7, 1999, 3] {
            for number in rows.indices {
                let number = number * step % rows.count
                var block = RowBlock(columns: TemplateCache.mostHoles)
                var lead = RowTemplate.Pattern.Lead()
                var cells = block.cells.mutableSpan
                let bytes = rows[number]
                let match = kinds.templates.match(bytes.span, at: 0, after: &lead, &times, &cells)
                #expect(match?.template.kind === met[number])
            }
        }
    }

    @Test("have none that is of no use because a text is too long", arguments: [-1, 0, 1])
    func longTexts(beyond: Int) throws {
        func row(_ length: Int) -> [UInt8] {
            Array("<Record type=\"t\" value=\"\(String(repeating: "x", count: length))\"/>\n".utf8)
        }
        let long = row(RowTemplate.Pattern.longestText + beyond)
        var kinds = KindCache(usesTemplates: true)
        var census = Census()
        var values = RowValues()
        var tag = StartTag()
        try MarkupReader.startTag(long.span, at: 0, into: &tag)
        _ = kinds.kind(long.span, tag, isCompilable: true, &census, &values)
        var times = TimeReader()
        for bytes in [long, row(3)] {
            var block = RowBlock(columns: TemplateCache.mostHoles)
            var lead = RowTemplate.Pattern.Lead()
            var cells = block.cells.mutableSpan
            let match = kinds.templates.match(bytes.span, at: 0, after: &lead, &times, &cells)
            #expect((match != nil) == (beyond <= 0))
        }
    }

    @Test("are forgotten if no row needs them, and are the same when they return")
    func forgotten() throws {
        let bytes = Array("<Record type=\"\(String(repeating: "t", count: 70))\" value=\"1\"/>\n".utf8)
        var kinds = KindCache(usesTemplates: true)
        var census = Census()
        var values = RowValues()
        var tag = StartTag()
        try MarkupReader.startTag(bytes.span, at: 0, into: &tag)
        func kind() -> RowKind {
            kinds.kind(bytes.span, tag, isCompilable: true, &census, &values).0
        }
        let first = kind()
        var times = TimeReader()
        func isRecognised() -> Bool {
            var rows = RowBlock(columns: TemplateCache.mostHoles)
            var lead = RowTemplate.Pattern.Lead()
            var cells = rows.cells.mutableSpan
            return kinds.templates.match(bytes.span, at: 0, after: &lead, &times, &cells) != nil
        }
        // It is among the last ones, whatever else is forgotten.
        for row in [1 << 17, 1 << 18, 1 << 19] {
            kinds.age(at: row)
            #expect(isRecognised())
        }
        let second = kind()
        #expect(second !== first && second.identifier == first.identifier)
        kinds.age(at: (1 << 19) + 1)
        #expect(kind() === second)
        kinds.removeAll()
        #expect(!isRecognised() && kind().identifier == first.identifier)
    }
}
