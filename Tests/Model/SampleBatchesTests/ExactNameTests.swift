import SampleBatches
import Testing

@Suite("An exact name")
struct ExactNameTests {
    /// Spellings of one text as Unicode sees it.
    private static let spellings = [
        "\u{e9}", "e\u{301}", "\u{212b}", "\u{c5}", "A\u{30a}", "\u{1e69}", "s\u{323}\u{307}",
        "s\u{307}\u{323}",
    ]

    @Test(
        "is told from other spellings, by its hash as well",
        arguments: ["", "name", "a long name of an attribute "])
    func spellings(_ prefix: String) {
        let names = Self.spellings.map { ExactName(prefix + $0) }
        #expect(Set(names).count == names.count)
        // Those with equal hashes would be compared with each other, thousands with thousands.
        #expect(Set(names.map(\.hashValue)).count == names.count)
    }

    @Test("has the same hash as an equal one", arguments: 0...17)
    func equality(_ length: Int) {
        let text = String(repeating: "\u{e9}", count: length)
        let again = String(decoding: Array(text.utf8), as: UTF8.self)
        #expect(ExactName(text) == ExactName(again))
        #expect(ExactName(text).hashValue == ExactName(again).hashValue)
    }
}
