import Testing

@testable import ByteText

@Suite("Did you mean")
struct ClosestSpellingTests {
    @Test(
        "The distance counts insertions, deletions, replacements and swaps",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1),
            ("abc", "acb", 1),
            ("abc", "abcd", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
        ])
    func distances(first: String, second: String, distance: Int) {
        #expect(editDistance(Array(first), Array(second)) == distance)
    }

    @Test(
        "The closest spelling is offered if it is close enough",
        arguments: [
            ("--quite", "--quiet"), ("--quiets", "--quiet"), ("--Quiet", "--quiet"), ("--query", nil),
            ("--form", "--format"), ("--format", nil), ("--fo", nil),
            ("--formatted", "--format"), ("--x", nil), ("--", nil),
            ("", nil),
            ("--no-progres", "--no-progress"), ("--progress", "--no-progress"),
        ] as [(String, String?)])
    func suggestions(text: String, suggestion: String?) {
        let candidates = ["--quiet", "--format", "--no-progress", "--a"]
        #expect(closestSpelling(to: text, among: candidates) == suggestion)
    }

    @Test("Of two that are equally close the first is offered")
    func ties() {
        #expect(closestSpelling(to: "bat", among: ["cat", "bar"]) == "cat")
    }

    @Test("An argument of great length is not compared")
    func greatLength() {
        let text = String(repeating: "x", count: 1_000_000)
        #expect(closestSpelling(to: text, among: ["--quiet"]) == nil)
    }
}
