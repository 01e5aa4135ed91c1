import Testing

@testable import SampleBatches

@Suite("Elements in contents")
struct ContentTallyTests {
    /// Contents as this program writes them, as others may write them, and of forms that only the census knows.
    static let contents = [
        #"{}"#,
        #"{"a":"b"}"#,
        #"{"metadata":[{"key":"k","value":"v"}]}"#,
        #"{"metadata":[{"key":"[{","value":"}]\""},{"key":"\\","value":"\u0041"}],"n":-1.5e3}"#,
        #"{"Beats":[{"bpm":58,"time":"11:37:05.12\u202fAM"},{"bpm":61},{}],"x":true,"y":null}"#,
        #"{"a":[{"b":[{"c":[{}]},{"c":[{},{}]}]}],"d":[]}"#,
        #"{"a":[{}],"a":[{},{}]}"#,
        #"{ "a" : [ { "b" : "c" } , { } ] }"#,
        #"{"a":[ {}]}"#,
        #"{"met\u0061data":[{"key":"k"}],"x\\y":[{}]}"#,
        #"{"attributes":{"a":"b"},"children":[{"element":"e","metadata":[{}]}]}"#,
        #"{"children":[{"element":"e"},{"key":"no element"}],"metadata":[{}]}"#,
        #"{"metadata":[{"children":null},{"children":"c"},{"children":{}}]}"#,
        #"{"metadata":[{"attributes":[1]}]}"#,
        #"{"a":{"b":[{}]}}"#,
        #"{"a":[1,2]}"#,
        #"{"a":["b"]}"#,
        #"{"a":[[{}]]}"#,
        #"{"a":[null]}"#,
    ]

    private func counted(_ body: () throws -> [ExactName: Int]) -> [String: Int]? {
        (try? body()).map { counts in
            Dictionary(uniqueKeysWithValues: counts.map { ($0.key.text, $0.value) })
        }
    }

    @Test("are counted as the census counts them, one by one and together", arguments: contents)
    func counts(content: String) {
        let json = Array(content.utf8)
        let expected = counted {
            var counts: [ExactName: Int] = [ExactName("Record"): 3]
            try ContentCensus.add(json, in: "Record", times: 3, to: &counts)
            return counts
        }
        #expect(counted { try SampleBatch.census(of: "Record", count: 3, [(json, 3)]) } == expected)
        let other = Array(#"{"metadata":[{},{}],"a":[{}]}"#.utf8)
        let together = counted { try SampleBatch.census(of: "Record", count: 3, [(other, 2), (json, 3)]) }
        #expect((together == nil) == (expected == nil))
        for (path, count) in expected ?? [:] {
            let more = path == "Record/MetadataEntry" ? 4 : path == "Record/a" ? 2 : 0
            #expect(together?[path] == count + more, "\(path)")
        }
    }

    @Test("are counted without the census wherever nothing else is nested")
    func plain() {
        for content in Self.contents.prefix(7) {
            var tally = ContentTally(element: "Record")
            let isCounted = tally.count(Array(content.utf8), times: 1)
            #expect(isCounted, "\(content)")
        }
    }

    @Test("of a content that is cut off are not counted by halves")
    func prefixes() {
        for content in Self.contents {
            for length in 0..<content.utf8.count {
                var tally = ContentTally(element: "Record")
                let isCounted = tally.count(Array(content.utf8.prefix(length)), times: 1)
                #expect(!isCounted && tally.counts.isEmpty, "\(content), \(length)")
            }
        }
    }
}
