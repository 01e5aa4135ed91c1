import SystemIO
import Testing
import VaultContainer
import VaultCrypto

@Suite("Every byte of a small container")
struct EveryByteTests {
    private static let blueprint = Result {
        try Blueprint(members: [("a", noise(300)), ("b", Array("text".utf8))])
    }

    // SECURITY.md: "`verify` detects all damage"
    // SECURITY.md: "change a byte of the output unnoticed"
    @Test("that is changed gives an error, or the right plaintext with a complaint")
    func flips() throws {
        let original = try Self.blueprint.get().build().bytes
        let payload = try Self.blueprint.get().payload
        let folder = try TemporaryFolder()
        try folder.write("container", original)
        let path = folder("container")
        let file = try FileDescriptor(opening: path, .update)
        var opened = 0
        for offset in original.indices {
            try file.write([original[offset] ^ 1 << (offset % 8)].span, at: offset)
            let reading = try Reading(path: path)
            try file.write([original[offset]].span, at: offset)
            let isHeader = offset < 4096 || offset >= original.count - 4096
            if reading.failure == nil { opened += 1 }
            // Headers have a copy; anything else is noticed on reading or, in the padding, on verifying.
            let authenticates = reading.gives(payload)
            let complains = !reading.problems.isEmpty
            #expect(isHeader ? authenticates && complains : reading.failure != nil, "byte \(offset)")
            #expect(payload.starts(with: reading.payload), "byte \(offset)")
            #expect(payload.starts(with: reading.stream), "byte \(offset)")
            #expect(
                reading.members.allSatisfy { $0.value == ($0.key == "a" ? noise(300) : Array("text".utf8)) })
        }
        #expect(opened == 8192)
        #expect(try Reading(path: path).isFlawless(payload: payload))
    }

    // SECURITY.md: "truncate an archive"
    @Test("that is cut off, with all behind it, gives an error or, in the trailer, the right plaintext")
    func prefixes() throws {
        let original = try Self.blueprint.get().build().bytes
        let payload = try Self.blueprint.get().payload
        let folder = try TemporaryFolder()
        try folder.write("container", original)
        let path = folder("container")
        let file = try FileDescriptor(opening: path, .update)
        for count in original.indices.reversed() {
            try file.truncate(to: count)
            let reading = try Reading(path: path)
            if count >= original.count - 4096 {
                #expect(
                    reading.gives(payload) && !reading.problems.isEmpty,
                    "\(count)")
            } else {
                let failure = try #require(reading.failure)
                #expect([.truncated, .incomplete, .notContainer].contains(failure), "\(count)")
                #expect(reading.payload.isEmpty && reading.stream.isEmpty, "\(count)")
            }
        }
    }

    // SECURITY.md: "change a byte of the output unnoticed"
    @Test("and some of a larger one that are overwritten with random ones give no wrong plaintext")
    func randomDamage() throws {
        let blueprint = try Blueprint(segmentChunks: 2, members: [("a", noise(150_000))])
        let original = try blueprint.build().bytes
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let seed = UInt64.random(in: 0 ... .max, using: &generator)
            var bytes = original
            let count = 1 << Int.random(in: 0...13, using: &generator)
            let start = Int.random(in: 0...(bytes.count - count), using: &generator)
            bytes.replaceSubrange(start..<(start + count), with: noise(count, seed: seed))
            if seed % 4 == 0 { bytes.removeSubrange(start..<(start + count)) }
            // A random byte may be the one that was there.
            guard bytes != original else { continue }
            let reading = try Reading(bytes)
            #expect(blueprint.payload.starts(with: reading.payload), "\(seed), \(start), \(count)")
            #expect(blueprint.payload.starts(with: reading.stream), "\(seed), \(start), \(count)")
            #expect(
                reading.failure != nil || reading.payload == blueprint.payload, "\(seed), \(start), \(count)")
            #expect(reading.failure != nil || !reading.problems.isEmpty, "\(seed), \(start), \(count)")
        }
    }
}
