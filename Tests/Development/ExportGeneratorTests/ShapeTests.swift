import ExportGenerator
import Testing

@Suite("Each shape strains a reader in its way")
struct ShapeTests {
    @Test("shuffled: the type changes with nearly every record")
    func shuffled() {
        let types = recordLines(.shuffled).compactMap { $0.firstMatch(of: #/type="([^"]*)"/#)?.1 }
        let changes = zip(types, types.dropFirst()).count { $0 != $1 }
        #expect(changes > types.count * 3 / 4)
    }

    @Test("many types: nearly every record has a type of its own when there is room for a few only")
    func manyTypes() {
        let census = export { $0.shape = .manyTypes }.census()
        #expect(census.recordTypes.count > (census.elements["Record"] ?? 0) * 3 / 4)
    }

    @Test("many types: a hundred thousand where there is room", .timeLimit(.minutes(5)))
    func hundredThousandTypes() {
        let census = export { options in
            options.shape = .manyTypes
            options.xmlBytes = 52_000_000
        }.census()
        // The two blood pressures come on top.
        #expect(census.recordTypes.count == 100_002)
    }

    @Test("unique metadata: no value occurs twice, and none is missing")
    func uniqueMetadata() {
        let export = export { $0.shape = .uniqueMetadata }
        let matches = export.xmlText.matches(of: #/key="HKExternalUUID" value="([^"]*)"/#)
        let pressures = 2 * (export.census().elements["Correlation"] ?? 0)
        #expect(Set(matches.map(\.1)).count >= matches.count - 1)
        #expect(matches.count + pressures == export.census().elements["Record"])
    }

    @Test("new devices: hardly any memory address occurs twice; ordinarily runs of records share one")
    func newDevices() {
        let distinct = addresses(.newDevices)
        #expect(Set(distinct).count > distinct.count * 99 / 100)
        let ordinary = addresses(.ordinary)
        #expect(Set(ordinary).count < ordinary.count / 2)
    }

    private func addresses(_ shape: GeneratedExport.Options.Shape) -> [Substring] {
        recordLines(shape).compactMap { $0.firstMatch(of: #/HKDevice: (0x[0-9a-f]{9})&gt;/#)?.1 }
    }

    private func recordLines(_ shape: GeneratedExport.Options.Shape) -> [Substring] {
        let text = export { options in
            options.shape = shape
            options.xmlBytes = 1_000_000
        }.xmlText
        return text.split(separator: "\n").filter { $0.hasPrefix(" <Record ") }
    }
}
