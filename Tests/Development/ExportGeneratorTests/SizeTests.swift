import ExportGenerator
import Testing

@Suite("The document has the size that was asked for")
struct SizeTests {
    private static let versions: [GeneratedExport.Options.DTDVersion?] =
        [nil] + GeneratedExport.Options.DTDVersion.allCases

    @Test(
        "within two per cent when small and one when not",
        arguments: [20_000, 50_000, 131_072, 200_000, 2_000_000], GeneratedExport.Options.Shape.allCases)
    func sizes(bytes: Int, shape: GeneratedExport.Options.Shape) {
        let size = written { options in
            options.xmlBytes = bytes
            options.shape = shape
        }
        #expect(abs(size - bytes) <= bytes / (bytes < 50_000 ? 50 : 100))
    }

    @Test("in every version", arguments: versions)
    func sizes(version: GeneratedExport.Options.DTDVersion?) {
        let size = written { $0.dtdVersion = version }
        #expect(abs(size - 200_000) <= 2000)
    }

    @Test("less than the minimum counts as the minimum")
    func minimum() {
        let minimum = GeneratedExport.Options.minimumXMLBytes
        #expect(written { $0.xmlBytes = 0 } == written { $0.xmlBytes = minimum })
    }

    @Test("chunks are of moderate size, and none is empty")
    func chunks() {
        var sizes: [Int] = []
        export { $0.xmlBytes = 1_000_000 }.writeXML { sizes.append($0.count) }
        #expect(sizes.count > 4)
        #expect(sizes.allSatisfy { 0 < $0 && $0 <= 256 * 1024 })
    }

    @Test("an error of the receiver ends the writing and is thrown as it is")
    func failure() {
        struct Full: Error, Equatable {
            let chunks: Int
        }
        var chunks = 0
        #expect(throws: Full(chunks: 2)) {
            try export { $0.xmlBytes = 1_000_000 }.writeXML { _ throws(Full) in
                chunks += 1
                if chunks == 2 { throw Full(chunks: chunks) }
            }
        }
    }

    private func written(_ change: (inout GeneratedExport.Options) -> Void) -> Int {
        var size = 0
        export(change).writeXML { size += $0.count }
        return size
    }
}
