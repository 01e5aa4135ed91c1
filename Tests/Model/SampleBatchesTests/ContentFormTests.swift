import ExportGenerator
import SampleBatches
import Testing

@Suite("Contents")
struct ContentFormTests {
    private func json(_ children: [ElementNode.Child]) -> [UInt8] {
        ContentWriter.json(of: children)?.json ?? []
    }

    /// Whether a text is read as a content; reading must not end the program.
    private func isRead(_ json: [UInt8]) -> Bool { (try? ContentReader.children(of: json)) != nil }

    @Test("are read as they were written, and written again as they were", arguments: 0..<24)
    func roundTrip(seed: Int) throws {
        var generator = ContentGenerator(seed: seed)
        for _ in 0..<50 {
            let children = generator.content()
            let json = json(children)
            let read = try ContentReader.children(of: json)
            #expect(read == children, "\(String(decoding: json, as: UTF8.self))")
            #expect(self.json(read) == json, "\(String(decoding: json, as: UTF8.self))")
        }
    }

    @Test(
        "keep every byte of a text", arguments: ["key", "startDate", "value", "sum", "type", "device", "x"])
    func bytes(name: String) throws {
        for byte in UInt8.min...UInt8.max {
            for text in [[byte], [0x31, byte], [byte, 0x31], [byte, byte, byte]] {
                var element = ElementNode(name: "WorkoutEvent")
                element.attributes = [ElementNode.Attribute(name, text)]
                for children in [[.element(element)], [.text(text), .element(element)]]
                    as [[ElementNode.Child]]
                {
                    #expect(try ContentReader.children(of: json(children)) == children, "\(text)")
                }
            }
        }
    }

    @Test("keep times and numbers as they are written")
    func kinds() throws {
        let texts = [
            "2024-02-29 12:00:00 +0100", "2024-02-29T12:00:00+01:00", "2024-02-30 12:00:00 +0100",
            "0001-01-01 00:00:00 +0000", "9999-12-31 23:59:59 -2359", "2024-02-29 12:00:00 -0000",
            "0", "-0", "1.50", "007", "+1", "1e5", "1E+05", "1.", ".5", "nan", "true", "null", "{}", "[]", "",
        ]
        let names = ["startDate", "date", "value", "sum", "duration", "key", "unit", "workoutActivityType"]
        for elementName in ["MetadataEntry", "Record", "WorkoutStatistics", "lower"] {
            for name in names {
                for text in texts {
                    var element = ElementNode(name: elementName)
                    element.attributes = [ElementNode.Attribute(name, Array(text.utf8))]
                    let read = try ContentReader.children(of: json([.element(element)]))
                    #expect(read == [.element(element)], "\(elementName) \(name) \(text)")
                }
            }
        }
    }

    @Test("have attributes with names that mean something else, and names twice")
    func oddNames() throws {
        let names = [
            "element", "position", "metadata", "children", "attributes", "text", "Value", "HKCharacteristicX",
            "", "a\"b", "\u{0}", "é", "e\u{301}", "🙂",
        ]
        for name in names {
            for others in [[], ["key"], [name], [name, "key", name]] {
                for elementName in ["MetadataEntry", "metadata", "children", "attributes", "Å", "A\u{30a}"] {
                    var element = ElementNode(name: elementName)
                    element.attributes = ([name] + others).enumerated().map { number, name in
                        ElementNode.Attribute(name, Array("\(number)".utf8))
                    }
                    element.children = [.element(ElementNode(name: elementName)), .text([0x20])]
                    let json = json([.element(element)])
                    let read = try ContentReader.children(of: json)
                    #expect(read == [.element(element)] && self.json(read) == json, "\(elementName) \(name)")
                }
            }
        }
    }

    /// Nested elements, the outermost included.
    private func nested(_ depth: Int, _ name: String) -> ElementNode {
        var element = ElementNode(name: name)
        for _ in 1..<depth {
            var outer = ElementNode(name: name)
            outer.children = [.element(element)]
            element = outer
        }
        return element
    }

    @Test("may be nested as deep as the document may", arguments: ["Record", "MetadataEntry", "record"])
    func depth(name: String) throws {
        for depth in 1...64 {
            let children: [ElementNode.Child] = [.element(nested(depth, name))]
            #expect(try ContentReader.children(of: json(children)) == children)
        }
        for depth in [65, 66, 100, 300] {
            let json = json([.element(nested(depth, name))])
            #expect(throws: (any Error).self) { try ContentReader.children(of: json) }
        }
    }

    @Test(
        "that are nested without an end are refused",
        arguments: [
            #"{"A":["#, #"{"children":["#, #"{"children":[{"element":"a","children":["#, "[", "{", #"{"":"#,
        ])
    func endless(text: String) {
        for count in [1, 64, 65, 66, 300, 20_000] {
            #expect(!isRead(Array(String(repeating: text, count: count).utf8)))
        }
    }

    @Test(
        "may have space between their parts, and nothing in them",
        arguments: [
            ("{}", 0), (" { } ", 0), (#"{"A":[]}"#, 0), (#"{"children":[]}"#, 0),
            (#"{ "A" : [ { } , {} ] }"#, 2),
            (#"{"children":[{"text":"\udc80"},{"element":"A"}]}"#, 2), (#"{"metadata":[{"key":"a"}]}"#, 1),
        ])
    func sparse(text: String, count: Int) throws {
        #expect(try ContentReader.children(of: Array(text.utf8)).count == count)
    }

    @Test(
        "that are something else are refused",
        arguments: [
            "", " ", "[]", "1", "null", #""text""#, "{", "{]", "{}}", "{},", "{}{}", #"{"A":[1]}"#,
            #"{"A":{}}"#,
            #"{"A":[[]]}"#, #"{"A":["x"]}"#, #"{"A":[{"x":null}]}"#, #"{"A":[{"x":true}]}"#,
            #"{"A":[{"x":{}}]}"#, #"{"A":[{"x":"y",}]}"#, #"{"A":[{},]}"#, #"{"A":[{}"#, #"{A:[]}"#,
            #"{"A":[{"x":01}]}"#, #"{"A":[{"x":1.}]}"#, #"{"A":[{"x":-}]}"#, #"{"A":[{"x":"\ud800"}]}"#,
            #"{"A":[{"x":"\udc7f"}]}"#, #"{"A":[{"x":"\u12"}]}"#, #"{"A":[{"x":"\x"}]}"#,
            #"{"A":[{"attributes":[["a"]]}]}"#, #"{"A":[{"attributes":[["a","b","c"]]}]}"#,
            #"{"A":[{"attributes":[["a",1]]}]}"#, #"{"A":[{"attributes":["a"]}]}"#,
            #"{"children":[{}]}"#, #"{"children":[{"x":"y"}]}"#, #"{"children":["x"]}"#,
            #"{"children":[{"text":1}]}"#, #"{"children":[{"element":1}]}"#, "{\"A\":[{\"x\":\"\u{1}\"}]}",
        ])
    func refused(text: String) {
        #expect(throws: (any Error).self) { try ContentReader.children(of: Array(text.utf8)) }
    }

    @Test("that are cut off are refused, wherever", arguments: 0..<24)
    func truncated(seed: Int) {
        var generator = ContentGenerator(seed: 1000 + seed)
        for _ in 0..<4 {
            let json = json(generator.content())
            let accepted = json.indices.filter { isRead(Array(json[..<$0])) }
            #expect(accepted == [], "\(String(decoding: json, as: UTF8.self))")
        }
    }

    @Test("that are damaged are refused or read, and never end the program", arguments: 0..<12)
    func damaged(seed: Int) {
        var generator = ContentGenerator(seed: 2000 + seed)
        var json: [UInt8] = []
        // Not too long: it is damaged in many ways at every place.
        repeat { json = self.json(generator.content()) } while json.count > 300
        let replacements = Array("\"\\{}[]:,-0e.u\u{0}".utf8) + [0x80, 0xff]
        for place in json.indices {
            for mask: UInt8 in [0x01, 0x02, 0x20, 0x80] {
                var flipped = json
                flipped[place] ^= mask
                _ = isRead(flipped)
            }
            for replacement in replacements {
                var changed = json
                changed[place] = replacement
                _ = isRead(changed)
                changed = json
                changed.insert(replacement, at: place)
                _ = isRead(changed)
            }
            var shorter = json
            shorter.remove(at: place)
            _ = isRead(shorter)
        }
        // What follows the content is no part of it.
        #expect(isRead(json + Array(" \n".utf8)))
        for byte in Array("{}[]\",0".utf8) { #expect(!isRead(json + [byte])) }
    }

    @Test("of any bytes never end the program", arguments: 0..<8)
    func anyBytes(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let words = [
            "{", "}", "[", "]", ":", ",", "\"", "\\", "\"A\":[", "\"children\":[", "\"element\":\"x\"",
            "\"text\":\"y\"", "\"attributes\":[[\"a\",\"b\"]]", "\"startDate\":", "1", "-", "null", "\\udc80",
            "{}", " ", "\u{0}", "é",
        ]
        for _ in 0..<2000 {
            let text = (0..<random.below(24)).map { _ in random.pick(from: words) }.joined()
            _ = isRead(Array("{\(text)".utf8))
            _ = isRead(Array("{\"A\":[{\(text)}]}".utf8))
        }
    }
}

/// Makes contents: some as exports have them, some that no export should have.
private struct ContentGenerator {
    private var random: SplitMix64

    init(seed: Int) { random = SplitMix64(seed: UInt64(seed)) }

    mutating func content() -> [ElementNode.Child] { children(depth: 0, least: 1) }

    private mutating func children(depth: Int, least: Int) -> [ElementNode.Child] {
        // Most contents are runs of equal elements.
        let isOrderly = random.below(2) == 0
        var children: [ElementNode.Child] = []
        var name = random.pick(from: Self.names)
        for _ in 0..<(least + random.below(4)) {
            if !isOrderly, random.below(4) == 0 {
                children.append(.text(text()))
                continue
            }
            if !isOrderly || random.below(4) == 0 { name = random.pick(from: Self.names) }
            children.append(.element(element(name, depth: depth)))
        }
        return children
    }

    private mutating func element(_ name: String, depth: Int) -> ElementNode {
        var element = ElementNode(name: name)
        let isOdd = random.below(4) == 0
        for _ in 0..<random.below(5) {
            let name = random.pick(from: isOdd ? Self.oddAttributes : Self.attributes)
            element.attributes.append(ElementNode.Attribute(name, text()))
        }
        if depth < 5, random.below(3) == 0 { element.children = children(depth: depth + 1, least: 0) }
        return element
    }

    private mutating func text() -> [UInt8] {
        switch random.below(6) {
        case 0: return (0..<random.below(30)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        case 1: return random.pick(from: Self.malformed)
        default: return Array(random.pick(from: Self.texts).utf8)
        }
    }

    private static let names = [
        "MetadataEntry", "MetadataEntry", "Record", "WorkoutEvent", "WorkoutStatistics", "Location",
        "HeartRateVariabilityMetadataList", "HKCharacteristicTypeIdentifierX", "metadata", "children",
        "attributes", "element", "text", "record", "A", "A\u{30a}", "Å", "é", "e\u{301}", "Q\"\\\n", "🙂", "1",
    ]
    private static let attributes = [
        "key", "value", "type", "unit", "startDate", "endDate", "creationDate", "date", "sum", "average",
        "duration", "durationUnit", "device", "sourceName", "bpm", "time", "latitude", "uuid", "path",
    ]
    private static let oddAttributes = [
        "key", "key", "value", "startDate", "startDate", "element", "position", "metadata", "children",
        "attributes", "text", "Record", "Value", "HKCharacteristicTypeIdentifierX", "", "é", "e\u{301}",
        "a b", "q\"\\", "\u{0}", "🙂",
    ]
    private static let malformed: [[UInt8]] = [
        [0xff], [0x80], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xed, 0xb2, 0x80], [0xf0, 0x9f, 0x99],
        [0xf4, 0x90, 0x80, 0x80], [0x31, 0xff, 0x32], [0xc3, 0xa9, 0xc3],
    ]
    private static let texts = [
        "", " ", "1", "-0", "1.50", "007", "1e5", "1.", "418 cm", "2024-02-29 12:00:00 +0100",
        "2024-02-29T12:00:00+01:00", "2024-02-30 12:00:00 +0100", "2024-02-29 12:00:00 -0000", "2024-02-29",
        "<<HKDevice: 0x1a2b>, name:Watch>", "Europe/Berlin", "true", "null", "{\"a\":1}", "\"", "\\",
        "\\u0031",
        "\u{8}\u{c}\n\t\r\u{1}\u{1f}\u{7f}", "’", "🙂", "\u{2028}\u{ffff}", "]]>", "&amp;",
    ]
}
