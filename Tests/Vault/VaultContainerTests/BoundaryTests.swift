import SystemIO
import Testing
import VaultContainer
import VaultCrypto

@Suite("Containers made from the text of SECURITY.md (sections 12 to 19)")
struct BoundaryTests {
    /// Sizes around the ends of chunks and segments; a footer that straddled two segments was a reference writer's
    /// mistake.
    static func sizes(_ chunks: Int) -> [Int] {
        let segment = chunks * 16384
        let ends = chunks < 64 ? Array(-65...1) : [-65, -64, -63, -1, 0, 1]
        let segments = chunks < 64 ? [1, 2] : [1]
        return [0, 1, 16383, 16384, 16385] + segments.flatMap { number in ends.map { number * segment + $0 } }
    }

    @Test("are read whole with a payload of any size around a boundary", arguments: [1, 2, 64])
    func payloads(chunks: Int) throws {
        for size in Set(Self.sizes(chunks)) {
            let payload = noise(size)
            let specimen = try Blueprint(segmentChunks: chunks, payload: payload).build()
            let bytes = specimen.bytes
            #expect(bytes.count.isMultiple(of: 4096))
            let reading = try Reading(bytes)
            #expect(
                reading.gives(payload) && reading.warnings == [.weakKdf],
                "\(size)")
            // Such a payload is no tar, which verification says; but no segment is wrong.
            #expect(reading.problems == (size == 1024 ? [] : [.badFooter]), "\(size)")
        }
    }

    @Test("are flawless with members of any size around a boundary", arguments: [1, 2])
    func members(chunks: Int) throws {
        for size in [
            0, 1, 511, 512, 513, 16384 * chunks - 1537, 16384 * chunks - 1536, 16384 * chunks - 1535, 40_000,
        ] {
            let blueprint = try Blueprint(segmentChunks: chunks, members: [("a", noise(size)), ("b/c", [1])])
            let reading = try Reading(try blueprint.build().bytes)
            #expect(reading.isFlawless(payload: blueprint.payload), "\(size)")
            #expect(reading.members == ["a": noise(size), "b/c": [1]], "\(size)")
        }
    }

    @Test("are checked byte by byte of the file, as far as the progress goes")
    func progress() throws {
        let folder = try TemporaryFolder()
        let bytes = try Blueprint(members: [("a", noise(40_000))]).build().bytes
        try folder.write("container", bytes)
        let secret = try Passphrase(preparing: Array(Blueprint.passphrase.utf8).span)
        let reader = try ContainerReader(opening: folder("container"), passphrase: secret)
        var told: [Int] = []
        _ = try reader.verify { done, total in
            #expect(total == bytes.count)
            told.append(done)
        }
        #expect(told == stride(from: 4096 + 16472, to: bytes.count - 4096, by: 16472) + [bytes.count - 4096])
    }

    @Test("may have segments of padding alone")
    func padding() throws {
        let blueprint = try Blueprint(members: [("a", noise(1_060_000))])
        let specimen = try blueprint.build()
        #expect(specimen.segments.count - blueprint.payload.count / 16384 > 2)
        #expect(try Reading(specimen.bytes).isFlawless(payload: blueprint.payload))
    }
}
