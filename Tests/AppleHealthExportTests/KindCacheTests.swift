import ByteSpans
import HealthModel
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
        var met: [RowKind] = []
        for bytes in rows {
            var tag = StartTag()
            try MarkupReader.startTag(bytes.span, at: 0, into: &tag)
            met.append(kinds.kind(bytes.span, tag, isCompilable: true, &census, &values).0)
        }
        #expect(Set(met.map(\.serial)).count == rows.count)
        var times = TimeReader()
        for _ in 0..<3 {
            for (bytes, kind) in zip(rows, met) {
                var packed = [UInt8](repeating: 0, count: kinds.room)
                var target = packed.mutableSpan
                let match = kinds.match(bytes.span, at: 0, &times, &target)
                #expect(match?.template.kind === kind)
            }
        }
    }
}
