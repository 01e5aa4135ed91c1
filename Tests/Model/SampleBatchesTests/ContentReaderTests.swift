import SampleBatches
import Testing

@Suite("A content that is read back")
struct ContentReaderTests {
    /// Numbers that are the same in each run.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static let names = [
        "MetadataEntry", "WorkoutEvent", "Record", "odd", "A", "é", "e\u{301}", "HKCharacteristicX",
    ]
    private static let attributes = [
        "key", "value", "startDate", "device", "element", "attributes", "children", "Capital", "position",
        "text",
        "metadata", "x-y",
    ]
    private static let texts: [[UInt8]] = [
        [], Array("61.50".utf8), Array("-0".utf8), Array("2024-02-29 12:00:00 +0100".utf8),
        Array("2024-02-29T12:00:00+01:00".utf8), Array("a\"b\\c\n\u{1}é".utf8),
        [0xff, 0x41, 0xed, 0xa0, 0x80],
        Array("null".utf8), Array("{}".utf8), Array("<<HKDevice: 0x1>, name:x>".utf8),
    ]

    private static func children(_ dice: inout Dice, depth: Int) -> [ElementNode.Child] {
        (0..<Int.random(in: 0...4, using: &dice)).map { _ in
            if Int.random(in: 0..<8, using: &dice) == 0 { return .text(texts[5]) }
            var element = ElementNode(name: names.randomElement(using: &dice) ?? "A")
            element.attributes = (0..<Int.random(in: 0...4, using: &dice)).map { _ in
                ElementNode.Attribute(
                    attributes.randomElement(using: &dice) ?? "key", texts.randomElement(using: &dice) ?? [])
            }
            if depth < 4, Bool.random(using: &dice) { element.children = children(&dice, depth: depth + 1) }
            return .element(element)
        }
    }

    @Test("is what was written, whatever it was", arguments: 0..<200)
    func roundTrip(seed: UInt64) throws {
        var dice = Dice(state: seed &* 2 &+ 1)
        for _ in 0..<20 {
            let children = Self.children(&dice, depth: 0)
            guard let json = ContentWriter.json(of: children)?.json else {
                #expect(children.isEmpty)
                continue
            }
            let read = try ContentReader.children(of: json)
            #expect(read == children, "\(String(decoding: json, as: UTF8.self))")
            #expect(ContentWriter.json(of: read)?.json == json)
        }
    }

    @Test("is an error or something when it is damaged, and never the end of the program")
    func damage() {
        var dice = Dice(state: 5)
        for _ in 0..<30 {
            guard let json = ContentWriter.json(of: Self.children(&dice, depth: 0))?.json else { continue }
            for place in json.indices {
                _ = try? ContentReader.children(of: Array(json[..<place]))
                for byte in [UInt8(ascii: "{"), UInt8(ascii: "]"), UInt8(ascii: "\""), 0x30, 0xff] {
                    var other = json
                    other[place] = byte
                    _ = try? ContentReader.children(of: other)
                }
            }
        }
        let deep = Array(String(repeating: "{\"A\":[", count: 500).utf8)
        #expect(throws: (any Error).self) { try ContentReader.children(of: deep) }
    }
}
