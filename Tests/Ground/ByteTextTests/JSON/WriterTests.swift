import ByteText
import Testing

@Suite("Written JSON")
struct WriterTests {
    @Test("has its commas and members where they belong")
    func compact() {
        #expect(
            sample(pretty: false)
                == #"{"a":1,"b":[],"c":["x",-2,true,null,{},[1]],"d":{"e":"\u0000"},"f":0.50,"g":[3]}"#)
    }

    @Test("has a line for each member of the two outermost levels when people are to read it")
    func pretty() {
        let text = """
            {
              "a": 1,
              "b": [],
              "c": [
                "x",
                -2,
                true,
                null,
                {},
                [1]
              ],
              "d": {
                "e": "\\u0000"
              },
              "f": 0.50,
              "g": [3]
            }
            """
        #expect(sample(pretty: true) == text)
    }

    @Test("is read back", arguments: [false, true])
    func readBack(pretty: Bool) throws {
        var reader = JSONReader(Array(sample(pretty: pretty).utf8))
        try readAnything(&reader)
        try reader.finish()
    }

    @Test(
        "rounds decimals to their digits",
        arguments: [
            (0, "0.00"), (1, "1.00"), (-1.5, "-1.50"), (0.005, "0.01"), (-0.001, "0.00"), (2.999, "3.00"),
            (1234.5678, "1234.57"),
        ] as [(Double, String)])
    func decimals(value: Double, text: String) {
        var writer = JSONWriter()
        writer.decimal(value, digits: 2)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }

    @Test("has an object for each element", arguments: [[], [1], [1, 2]])
    func objects(numbers: [Int]) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("a", objects: numbers) { number, writer in writer.member("n", number) }
            writer.member("b", numbers.count)
        }
        let objects = numbers.map { "{\"n\":\($0)}" }.joined(separator: ",")
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == "{\"a\":[\(objects)],\"b\":\(numbers.count)}")
    }

    private func sample(pretty: Bool) -> String {
        var writer = JSONWriter(pretty: pretty)
        writer.object { writer in
            writer.member("a", 1)
            writer.key("b")
            writer.array { _ in }
            writer.key("c")
            writer.array { writer in
                writer.string("x")
                writer.integer(-2)
                writer.bool(true)
                writer.null()
                writer.object { _ in }
                writer.array { writer in writer.integer(1) }
            }
            writer.key("d")
            writer.object { writer in writer.member("e", "\u{0}") }
            writer.key("f")
            writer.decimal(0.5, digits: 2)
            writer.key("g")
            writer.raw(Array("[3]".utf8).span)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
