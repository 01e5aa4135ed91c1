import ExportGenerator
import Testing

@testable import struct ExportGenerator.SplitMix64

@Suite("Equal seeds give equal exports")
struct DeterminismTests {
    @Test("the main document is the same every time", arguments: GeneratedExport.Options.Shape.allCases)
    func document(shape: GeneratedExport.Options.Shape) {
        #expect(export { $0.shape = shape }.xml == export { $0.shape = shape }.xml)
    }

    @Test("files beside it are the same every time")
    func sideFiles() {
        let first = export()
        let second = export()
        #expect(first.sideFileList.map(\.name) == second.sideFileList.map(\.name))
        for (left, right) in zip(first.sideFileList, second.sideFileList) {
            #expect(first.bytes(of: left) == second.bytes(of: right), "\(left.name)")
        }
    }

    @Test("another seed gives another document", arguments: GeneratedExport.Options.Shape.allCases)
    func otherSeed(shape: GeneratedExport.Options.Shape) {
        let first = export { $0.shape = shape }
        let second = export { options in
            options.shape = shape
            options.seed = 2
        }
        #expect(first.xml != second.xml)
    }

    @Test("each shape gives another document")
    func otherShape() {
        let documents = GeneratedExport.Options.Shape.allCases.map { shape in export { $0.shape = shape }.xml
        }
        #expect(Set(documents).count == documents.count)
    }

    @Test("the document does not depend on whether a few files are written beside it")
    func missingFiles() {
        #expect(export { $0.sideFiles = .none }.xml == export { $0.sideFiles = .some }.xml)
        #expect(export { $0.sideFiles = .none }.sideFileList.isEmpty)
    }

    @Test("SplitMix64 gives the published numbers for the seed zero")
    func publishedSequence() {
        var chance = SplitMix64(seed: 0)
        let numbers = (0..<3).map { _ in chance.next() }
        #expect(numbers == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F])
    }
}
