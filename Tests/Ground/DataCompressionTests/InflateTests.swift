import DataCompression
import Testing

@Suite(
    "DEFLATE streams (RFC 1951), made by Python's zlib",
    .enabled(if: Tool.isInstalled(Tool.python), "needs /usr/bin/python3"))
struct InflateTests {
    /// All ways in which zlib makes blocks: stored, fixed and dynamic codes, with flushes between them.
    static let methods = [
        "0, -15", "1, -15", "6, -15", "9, -15", "9, -9", "6, -15, 8, zlib.Z_HUFFMAN_ONLY",
        "6, -15, 8, zlib.Z_FIXED",
        "6, -15, 8, zlib.Z_RLE", "6, -15, 1, zlib.Z_FILTERED",
    ]

    @Test("come out whole for every size of the pieces that go in and come out", arguments: methods)
    func everySplit(method: String) throws {
        let content = sample(600)
        let stream = try deflated(content, method)
        for split in 1...stream.count {
            let found = try inflated(stream, split, room: 1000)
            #expect(found == Outcome(content, stream.count), "\(split)")
        }
        for room in [1, 2, 3, 7, 64, 599, 600, 601] {
            for split in [1, 5, stream.count] {
                let found = try inflated(stream, split, room: room)
                #expect(found == Outcome(content, stream.count), "\(split) and \(room)")
            }
        }
    }

    @Test("of any size come out whole", arguments: [0, 1, 32_767, 32_768, 32_769, 65_536, 400_000])
    func sizes(size: Int) throws {
        let content = sample(size)
        for method in ["0, -15", "6, -15", "6, -15, 8, zlib.Z_FIXED"] {
            let stream = try deflated(content, method)
            for (split, room) in [(1 << 20, 1 << 20), (997, 65_536), (4096, 1000), (65_536, 32_768)] {
                let found = try inflated(stream, split, room: room)
                #expect(found == Outcome(content, stream.count), "\(method), \(split) and \(room)")
            }
        }
    }

    @Test("of many blocks come out whole")
    func blocks() throws {
        let program = """
            import sys, zlib
            data = sys.stdin.buffer.read()
            made = zlib.compressobj(6, zlib.DEFLATED, -15)
            modes = [zlib.Z_NO_FLUSH, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH, zlib.Z_BLOCK]
            for at in range(0, len(data), 500):
                sys.stdout.buffer.write(made.compress(data[at:at + 500]) + made.flush(modes[at // 500 % 4]))
            sys.stdout.buffer.write(made.flush())
            """
        let content = sample(50_000)
        let stream = try python(program, content)
        for (split, room) in [(1, 100), (13, 1 << 16), (1 << 16, 7), (1 << 16, 1 << 16)] {
            let found = try inflated(stream, split, room: room)
            #expect(found == Outcome(content, stream.count))
        }
    }

    @Test("end where they end, whatever follows", arguments: methods)
    func trailing(method: String) throws {
        let content = sample(3000)
        let stream = try deflated(content, method)
        for extra in [[0], [0xff], [UInt8](repeating: 0xaa, count: 100)] as [[UInt8]] {
            for split in [1, 2, 7, 8, 9, 64, 10_000] {
                let found = try inflated(stream + extra, split, room: 4000)
                #expect(found == Outcome(content, stream.count), "\(split)")
            }
        }
    }

    /// Whoever takes the end of the input for the end of the stream loses these bytes.
    @Test("may have content left when all of the input was taken", arguments: [1, 7, 100, 299])
    func pendingOutput(room: Int) throws {
        let content = [UInt8](repeating: 0x61, count: 300)
        let stream = try deflated(content, "6, -15")
        var inflate = Inflate()
        var output = [UInt8](repeating: 0, count: room)
        var target = output.mutableSpan
        let first = try inflate.step(stream.span, into: &target, 0..<room)
        let isFinished = inflate.isFinished
        #expect(first.produced == room && !isFinished)
        var count = first.produced
        var start = first.consumed
        while !inflate.isFinished {
            let step = try inflate.step(stream.span.extracting(start..<stream.count), into: &target, 0..<room)
            start += step.consumed
            count += step.produced
            try #require(step.produced > 0 || step.consumed > 0)
        }
        #expect(first.consumed == stream.count)
        #expect(count == 300)
    }

    @Test("that are cut never end, and give only a part of their content", arguments: [1, 64, 1 << 16])
    func prefixes(split: Int) throws {
        let content = sample(2000)
        let stream = try deflated(content, "6, -15")
        for count in 0..<stream.count {
            let found = try inflated(Array(stream[..<count]), split, room: 4000)
            #expect(found.end == nil)
            #expect(content.starts(with: found.content))
        }
    }

    @Test("that are none are refused")
    func invalid() {
        // A block of the reserved type; stored lengths that contradict each other; too many codes; a distance
        // that leads to before the start.
        for stream in [
            [0x07], [0x01, 0x05, 0x00, 0x00, 0x00, 0x61], [0xfd, 0xff, 0xff], [0x4b, 0x04, 0x12, 0x00],
        ] as [[UInt8]] {
            #expect(throws: CompressionError(.damaged)) {
                _ = try inflated(stream + [UInt8](repeating: 0, count: 64), 1 << 16, room: 1000)
            }
        }
    }

    // SECURITY.md: "use unlimited memory, or crash"
    @Test("with a changed byte give an error or other content, and no crash")
    func flips() throws {
        let content = sample(3000)
        let stream = try deflated(content, "6, -15")
        var checksum = CRC32()
        checksum.update(content.span)
        for index in stream.indices {
            for mask in [UInt8(1), 0x08, 0x80, 0xff] {
                var other = stream
                other[index] ^= mask
                guard let found = try? inflated(other, 1 << 16, room: 10_000) else { continue }
                var wrong = CRC32()
                wrong.update(found.content.span)
                #expect(wrong != checksum || found.content == content)
            }
        }
    }

    /// What came out, and how many bytes of the input were taken when the stream ended.
    private struct Outcome: Equatable {
        let content: [UInt8]
        let end: Int?

        init(_ content: [UInt8], _ end: Int?) {
            self.content = content
            self.end = end
        }
    }

    private func inflated(_ stream: [UInt8], _ split: Int, room: Int) throws -> Outcome {
        var inflate = Inflate()
        var content: [UInt8] = []
        var output = [UInt8](repeating: 0, count: room)
        var start = 0
        var idle = 0
        // At the end of the input there may still be output to come.
        while !inflate.isFinished, idle < 2, content.count < 1 << 20 {
            let end = min(start + split, stream.count)
            var target = output.mutableSpan
            let step = try inflate.step(stream.span.extracting(start..<end), into: &target, 0..<room)
            content += output[..<step.produced]
            start += step.consumed
            idle = step.produced == 0 && step.consumed == 0 ? idle + 1 : 0
        }
        return Outcome(content, inflate.isFinished ? start - inflate.overrun : nil)
    }

    private func deflated(_ content: [UInt8], _ method: String) throws -> [UInt8] {
        let arguments = method.replacing(",", with: ", zlib.DEFLATED,", maxReplacements: 1)
        let program = """
            import sys, zlib
            made = zlib.compressobj(\(arguments))
            sys.stdout.buffer.write(made.compress(sys.stdin.buffer.read()) + made.flush())
            """
        return try python(program, content)
    }

    private func python(_ program: String, _ input: [UInt8]) throws -> [UInt8] {
        try Tool.output(of: "\(Tool.python) -c '\(program)'", input: input)
    }
}
