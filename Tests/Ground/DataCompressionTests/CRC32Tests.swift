import DataCompression
import Testing

@Suite("CRC-32 (ISO 3309, as in zip)")
struct CRC32Tests {
    @Test(
        "gives the published values",
        arguments: [
            ("", 0), ("123456789", 0xcbf4_3926), ("a", 0xe8b7_be43),
            ("The quick brown fox jumps over the lazy dog", 0x414f_a339),
        ] as [(String, UInt32)])
    func published(text: String, value: UInt32) {
        #expect(checksum([Array(text.utf8)]) == value)
    }

    @Test("agrees with Python's zlib", .enabled(if: Tool.isInstalled(Tool.python), "needs /usr/bin/python3"))
    func agreement() throws {
        let content = sample(5000)
        let program = """
            import sys, zlib
            data = sys.stdin.buffer.read()
            print(*[zlib.crc32(data[:count]) for count in range(0, 5000, 9)])
            """
        let lines = String(
            decoding: try Tool.output(of: "\(Tool.python) -c '\(program)'", input: content), as: UTF8.self)
        for (number, line) in lines.split(whereSeparator: \.isWhitespace).enumerated() {
            #expect(UInt32(line) == checksum([Array(content[..<(9 * number)])]))
        }
    }

    @Test("does not depend on the pieces", arguments: [1, 3, 15, 16, 17, 255, 1000])
    func pieces(size: Int) {
        let content = sample(1000)
        let parts = stride(from: 0, to: 1000, by: size).map { Array(content[$0..<min($0 + size, 1000)]) }
        #expect(checksum(parts + [[]]) == checksum([content]))
    }

    private func checksum(_ parts: [[UInt8]]) -> UInt32 {
        var checksum = CRC32()
        for part in parts { checksum.update(part.span) }
        return checksum.value
    }
}
