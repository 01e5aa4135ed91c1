import ByteText
import Testing

@Suite("Nesting (RFC 8259, section 9)")
struct NestingTests {
    @Test("is taken up to the limit and not one level deeper", arguments: [0, 1, 2, 127, 128, 1000])
    func limit(depth: Int) throws {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")] {
            let levels = open.utf8.contains(UInt8(ascii: "{")) && open.hasPrefix("[") ? 2 : 1
            let text = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            var reader = JSONReader(Array(text.utf8), depthLimit: depth * levels)
            try reader.skip()
            try reader.finish()
            guard depth > 0 else { continue }
            reader = JSONReader(Array(text.utf8), depthLimit: depth * levels - 1)
            #expect { try reader.skip() } throws: { ($0 as? JSONError)?.code == .tooDeep }
        }
    }

    @Test("is limited to 256 levels unless told otherwise")
    func usualLimit() throws {
        var reader = JSONReader([UInt8](repeating: 0x5b, count: 256) + [UInt8](repeating: 0x5d, count: 256))
        try reader.skip()
        reader = JSONReader([UInt8](repeating: 0x5b, count: 257) + [UInt8](repeating: 0x5d, count: 257))
        #expect(throws: JSONError(.tooDeep, at: 256)) { try reader.skip() }
    }

    @Test("of a million levels ends in an error and not on the stack")
    func noRecursion() {
        var reader = JSONReader([UInt8](repeating: 0x5b, count: 1_000_000))
        #expect { try reader.skip() } throws: { ($0 as? JSONError)?.code == .tooDeep }
        reader = JSONReader([UInt8](repeating: 0x5b, count: 100_000), depthLimit: .max)
        #expect { try reader.skip() } throws: { ($0 as? JSONError)?.code == .malformed }
    }

    @Test("does not add up over neighbours")
    func neighbours() throws {
        let text = "[" + [String](repeating: "[[]]", count: 300).joined(separator: ",") + "]"
        var reader = JSONReader(Array(text.utf8), depthLimit: 3)
        try reader.skip()
        try reader.finish()
    }
}
