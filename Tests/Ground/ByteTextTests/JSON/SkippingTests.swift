import ByteText
import ExportGenerator
import Testing

@Suite("Skipping values")
struct SkippingTests {
    /// How much of a text a reader skips; nil if it throws.
    private func length(_ text: String, _ skip: (inout JSONReader) throws -> Range<Int>) -> Int? {
        var reader = JSONReader(Array(text.utf8))
        guard let range = try? skip(&reader) else { return nil }
        #expect(range.lowerBound == 0 && range.upperBound == reader.offset)
        return range.upperBound
    }

    @Test("a list ends where it ends by the rules, whatever is in its strings")
    func lists() {
        var random = SplitMix64(seed: 7)
        let pieces = [
            "]", "[", #"\""#, #"\\"#, #"\\\\"#, "a", ",", "}", "ä", "0123456789", #"\u0022"#, "", " ",
        ]
        for _ in 0..<3000 {
            let escapes = random.below(2) == 0
            let values = (0..<random.below(8)).map { _ in
                guard random.below(3) > 0 else { return "\(random.below(100_000))" }
                guard random.below(4) > 0 else { return ["[5]", "[ 12\n]", "[123456789]"][random.below(3)] }
                let body = (0..<random.below(6)).map { _ in pieces[random.below(pieces.count)] }
                    .filter { escapes || !$0.hasPrefix("\\") }
                return "\"" + body.joined() + "\""
            }
            let list = "[" + values.joined(separator: ",") + "]"
            let text = list + #","next":["]"]"#
            #expect(length(text) { try $0.skip() } == list.utf8.count)
            #expect(length(text) { try $0.skipList() } == list.utf8.count, "\(list)")
            #expect(length(text) { try $0.skipNested() } == list.utf8.count, "\(list)")
        }
    }

    @Test(
        "a list without an end is malformed",
        arguments: [
            "[", "[1,2", "[1,[2]", "[1,[2],", #"["a\\",[2]"#, #"["]"#, #"["\"]"#, #"["\\\"]"#, #"["a"  "#,
        ])
    func open(text: String) {
        #expect(length(text) { try $0.skipList() } == nil)
        #expect(length(text) { try $0.skipNested() } == nil)
    }

    @Test("what is nested ends with its own bracket")
    func nested() {
        for text in [
            #"{}"#, #"{"a":[{"b":"]}"},[[]],{"c":{}}],"d":"{\"["}"#, #"[{"a":"\\"},{"b":"\\\""}]"#, #""[""#,
            "12", "true",
        ] {
            #expect(length(text + ",[") { try $0.skipNested() } == text.utf8.count, "\(text)")
        }
        let deep = String(repeating: "[", count: 100_000)
        #expect(length(deep) { try $0.skipNested() } == nil)
        #expect(length(deep + String(repeating: "]", count: 100_000)) { try $0.skipNested() } == 200_000)
    }

    @Test("the first members of an object are read, and none behind them", arguments: 0..<5)
    func first(count: Int) throws {
        var reader = JSONReader(Array(#"{"a":1,"b":[{"c":2}],"d":"e"}, nonsense"#.utf8))
        var keys: [String] = []
        try reader.members { reader, key in
            keys.append(key)
            _ = try reader.skip()
            return keys.count < count
        }
        #expect(keys == ["a", "b", "d"].prefix(max(1, count)).map(\.self))
        // The reader is behind the last value, or behind the object.
        #expect(reader.offset == [6, 6, 20, 28, 29][count])
    }

    @Test("a value that was read before is skipped only if it is there again")
    func known() {
        var reader = JSONReader(Array("[1,2],[1,3]".utf8))
        let known = Array("[1,2]".utf8)
        var isSkipped = reader.skip(known)
        #expect(isSkipped && reader.offset == 5)
        isSkipped = reader.skip(known)
        #expect(!isSkipped && reader.offset == 5)
        reader = JSONReader(Array("[1,2".utf8))
        isSkipped = reader.skip(known)
        #expect(!isSkipped && reader.offset == 0)
    }
}
