import DataCompression
import Testing

@Suite("Zstandard frames (RFC 8878)")
struct ZstandardTests {
    static let sizes = [0, 1, 2, 100, 255, 256, 65_791, 65_792, 131_071, 131_072, 131_073, 1_000_000]

    @Test("bring any content back, one after the other", arguments: sizes)
    func roundTrips(size: Int) throws {
        var compressor = try ZstandardCompressor()
        var decompressor = try ZstandardDecompressor()
        for content in [sample(size), sample(size, seed: 2), [UInt8](repeating: 0, count: size)] {
            let frame = try compressor.compress(content.span)
            let found = try decompressor.decompress(frame.span, limit: size)
            #expect(found == content)
        }
    }

    @Test("are read into memory that was used before")
    func memory() throws {
        var compressor = try ZstandardCompressor()
        var decompressor = try ZstandardDecompressor()
        var content: [UInt8] = []
        for size in Self.sizes + Self.sizes.reversed() {
            let expected = sample(size)
            let frame = try compressor.compress(expected.span)
            // Of several frames the first can be read alone, whatever follows.
            let more = try compressor.compress([1, 2, 3].span)
            for rest in [[], more, [0xff]] {
                let frames = frame + rest
                let extent = try decompressor.decompress(firstOf: frames.span, limit: size, into: &content)
                #expect(extent == frame.count && content == expected)
            }
            let frames = frame + more
            try decompressor.decompress(
                frames: frames.span, frameLimit: .max, limit: size + 3, into: &content)
            #expect(content == expected + [1, 2, 3])
            let cut = Array(frame.dropLast())
            #expect(throws: CompressionError.self) {
                try decompressor.decompress(frames: cut.span, frameLimit: .max, limit: size, into: &content)
            }
            #expect(content.isEmpty)
            #expect(throws: CompressionError.self) {
                _ = try decompressor.decompress(firstOf: cut.span, limit: size, into: &content)
            }
            #expect(content.isEmpty)
        }
    }

    @Test(
        "are what the zstd command reads", .enabled(if: Tool.isInstalled(Tool.zstd), "needs zstd"),
        arguments: sizes)
    func commandReads(size: Int) throws {
        let content = sample(size)
        var compressor = try ZstandardCompressor()
        let frame = try compressor.compress(content.span)
        #expect(try Tool.output(of: "\(Tool.zstd) -dqc", input: frame) == content)
    }

    @Test(
        "are read as the zstd command writes them, at any level and with a checksum",
        .enabled(if: Tool.isInstalled(Tool.zstd), "needs zstd"), arguments: [1, 3, 9, 19])
    func commandWrites(level: Int) throws {
        var decompressor = try ZstandardDecompressor()
        for size in [0, 1, 1000, 300_000] {
            let content = sample(size)
            // A size that the command is not told is not in the frame.
            let options = "-\(level) -qc --check --stream-size=\(size)"
            let frame = try Tool.output(of: "\(Tool.zstd) \(options)", input: content)
            let found = try decompressor.decompress(frame.span, limit: size)
            #expect(found == content)
        }
    }

    @Test(
        "of any effort, with blocks that end anywhere, are what the zstd command reads",
        .enabled(if: Tool.isInstalled(Tool.zstd), "needs zstd"), arguments: sizes)
    func blocks(size: Int) throws {
        let content = sample(size)
        var compressor = try ZstandardCompressor()
        var decompressor = try ZstandardDecompressor()
        for effort: CompressionEffort in [.columns, .text, .little, .least] {
            for ends in [
                [], [0], [size], [size / 2], Array(stride(from: 0, through: size, by: 1999)), [1, 2, 2, 3],
            ] {
                let ends = ends.filter { $0 <= size }
                let frame = try compressor.compress(content.span, effort, endingBlocksAt: ends)
                let found = try decompressor.decompress(frame.span, limit: size)
                #expect(found.elementsEqual(content), "\(effort) \(ends.count)")
                guard effort == .columns else { continue }
                let output = try Tool.output(of: "\(Tool.zstd) -dqc", input: frame)
                #expect(output.elementsEqual(content))
            }
        }
    }

    @Test("are smaller where blocks end with what is alike")
    func smaller() throws {
        let digits = Array((0..<40_000).map { "\($0 * 7919 % 10)," }.joined().utf8)
        let letters = Array((0..<40_000).map { ["a;", "b;", "c;"][$0 * $0 % 3] }.joined().utf8)
        let content = digits + letters
        var compressor = try ZstandardCompressor()
        let apart = try compressor.compress(content.span, .columns, endingBlocksAt: [digits.count])
        let together = try compressor.compress(content.span, .columns)
        #expect(apart.count < together.count)
    }

    @Test("one behind the other are read as one content, within their limits")
    func frames() throws {
        let parts = [sample(1000), [], sample(5000, seed: 3)]
        var compressor = try ZstandardCompressor()
        var frames: [UInt8] = []
        for part in parts { frames += try compressor.compress(part.span) }
        let content = parts.flatMap(\.self)
        var decompressor = try ZstandardDecompressor()
        let found = try decompressor.decompress(frames: frames.span, frameLimit: 5000, limit: 6000)
        #expect(found == content)
        func error(_ frames: [UInt8], _ frameLimit: Int, _ limit: Int) -> CompressionError.Code? {
            do throws(CompressionError) {
                var decompressor = try ZstandardDecompressor()
                _ = try decompressor.decompress(frames: frames.span, frameLimit: frameLimit, limit: limit)
                return nil
            } catch { return error.code }
        }
        #expect(error(frames, 4999, 6000) == .tooLarge && error(frames, 5000, 5999) == .tooLarge)
        #expect(error([], 5000, 6000) == .damaged)
        for count in [1, 4, frames.count - 1] {
            #expect(error(Array(frames[..<count]), 5000, 6000) == .damaged)
        }
        let skippable: [UInt8] = [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]
        #expect(error(frames + skippable, 5000, 6000) == .damaged)
        #expect(error(skippable + frames, 5000, 6000) == .damaged)
        #expect(error(frames + [0], 5000, 6000) == .damaged)
    }

    @Test("join into one stream", .enabled(if: Tool.isInstalled(Tool.zstd), "needs zstd"))
    func concatenation() throws {
        var compressor = try ZstandardCompressor()
        let parts = [sample(1000), [], sample(70_000, seed: 3)]
        var stream: [UInt8] = []
        for part in parts { stream += try compressor.compress(part.span) }
        #expect(try Tool.output(of: "\(Tool.zstd) -dqc", input: stream) == parts.flatMap(\.self))
    }

    @Test("are refused when their content is larger than the caller takes, before it is made")
    func limits() throws {
        #expect(try error(of: compressed(1000), limit: 999) == .tooLarge)
        #expect(try error(of: compressed(1000), limit: 1000) == nil)
        #expect(try error(of: compressed(1000), limit: 0) == .tooLarge)
        // A frame header that promises 2^62 bytes.
        let bomb: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0xe0] + [0, 0, 0, 0, 0, 0, 0, 0x40] + [1, 0, 0]
        #expect(error(of: bomb, limit: 1 << 30) == .tooLarge)
    }

    @Test("are refused when they are cut, changed in their header, or followed by anything")
    func damage() throws {
        let frame = try compressed(5000)
        for count in 0..<frame.count { #expect(error(of: Array(frame[..<count]), limit: 5000) == .damaged) }
        for extra in [[0], frame, [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]] as [[UInt8]] {
            #expect(error(of: frame + extra, limit: 10_000) == .damaged)
        }
        for index in 0..<4 {
            var other = frame
            other[index] ^= 0x40
            #expect(error(of: other, limit: 5000) == .damaged)
        }
    }

    // SECURITY.md: "use unlimited memory, or crash"
    @Test("that were changed anywhere give an error or other content of the promised size, and no crash")
    func flips() throws {
        let content = sample(2000)
        var compressor = try ZstandardCompressor()
        var decompressor = try ZstandardDecompressor()
        let frame = try compressor.compress(content.span)
        for index in frame.indices {
            for mask in [UInt8(1), 0x10, 0x80, 0xff] {
                var other = frame
                other[index] ^= mask
                if let found = try? decompressor.decompress(other.span, limit: 4000) {
                    #expect(found.count <= 4000)
                }
            }
        }
        // And the context is as good as new.
        let found = try decompressor.decompress(frame.span, limit: 2000)
        #expect(found == content)
    }

    @Test("are refused when they do not say how long their content is, or have none by their nature")
    func otherFrames() throws {
        // Skippable frames, and a frame of an unknown size: `printf abc | zstd -c --no-check`.
        for frame in [
            [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0], [0x5f, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2],
            [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0x19, 0x00, 0x00, 0x61, 0x62, 0x63],
            Array("plain text".utf8),
        ] as [[UInt8]] {
            #expect(error(of: frame, limit: 1000) == .damaged)
        }
    }

    @Test("are the same for the same content, whatever was compressed before")
    func determinism() throws {
        var compressor = try ZstandardCompressor()
        let first = try compressor.compress(sample(50_000).span)
        _ = try compressor.compress(sample(200_000, seed: 9).span)
        let second = try compressor.compress(sample(50_000).span)
        #expect(first == second)
        #expect(ZstandardCompressor.libraryVersion.split(separator: ".").count == 3)
    }

    private func compressed(_ size: Int) throws -> [UInt8] {
        var compressor = try ZstandardCompressor()
        let content = sample(size)
        return try compressor.compress(content.span)
    }

    private func error(of frame: [UInt8], limit: Int) -> CompressionError.Code? {
        do {
            var decompressor = try ZstandardDecompressor()
            _ = try decompressor.decompress(frame.span, limit: limit)
            return nil
        } catch { return error.code }
    }
}
