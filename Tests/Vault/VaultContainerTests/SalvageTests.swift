import SystemIO
import Testing
import VaultContainer
import VaultCrypto

/// What a salvage gives out, held against what was written.
private struct Salvaged {
    /// Names of entries that came out whole.
    var whole: Set<BytePath> = []
    /// Bytes that came out, and bytes that did not.
    var savedBytes = 0
    var lostBytes = 0
    var hasIndex = false

    /// Salvages a container, every byte of which must be that of `payload` unless it is said to be lost.
    init(_ bytes: [UInt8], _ payload: [UInt8], _ comment: Comment? = nil) throws {
        let folder = try TemporaryFolder()
        try folder.write("container", bytes)
        let text = Array(Blueprint.passphrase.utf8)
        let secret = try Passphrase(preparing: text.span)
        var salvage = try ContainerSalvage(
            opening: folder("container"), passphrase: secret, derivations: Self.derivations)
        hasIndex = salvage.hasIndex
        for entry in salvage.entries {
            let (found, lost) = try salvage.read(entry, 0..<entry.size)
            let inPayload = entry.range.clamped(to: 0..<payload.count)
            var expected = [UInt8](payload[inPayload])
            for range in lost {
                for index in range where index < expected.count { expected[index] = 0 }
                #expect(found[range].allSatisfy { $0 == 0 }, comment)
            }
            #expect(found.starts(with: expected), comment)
            let missing = lost.reduce(0) { $0 + $1.count }
            savedBytes += found.count - missing
            lostBytes += missing
            if missing == 0, let name = entry.name { whole.insert(name) }
        }
    }

    private static let derivations = KeyDerivations()
}

@Suite("What is left of a damaged container is given out, and nothing else")
struct SalvageTests {
    private static let members: [(name: BytePath, data: [UInt8])] = (0..<30).map {
        ("entry \($0)", noise(1000 + 700 * $0, seed: UInt64($0 + 1)))
    }
    private let blueprint: Blueprint
    private let specimen: Specimen
    private let all: Set<BytePath>

    init() throws {
        blueprint = try Blueprint(segmentChunks: 4, members: Self.members)
        specimen = try blueprint.build()
        all = Set(Self.members.map(\.name))
    }

    private func salvage(_ bytes: [UInt8], _ comment: Comment? = nil) throws -> Salvaged {
        try Salvaged(bytes, blueprint.payload, comment)
    }

    @Test("A whole container gives all of its entries")
    func whole() throws {
        let salvaged = try salvage(specimen.bytes)
        #expect(salvaged.whole == all && salvaged.lostBytes == 0 && salvaged.hasIndex)
    }

    @Test("One sound key slot in either header is enough")
    func headers() throws {
        for destroyed in [0..<4096, 0..<64, 64..<128, 256..<4096] {
            for first in [true, false] {
                var damaged = specimen
                if first {
                    damaged.header.replaceSubrange(destroyed, with: noise(destroyed.count))
                } else {
                    damaged.trailer.replaceSubrange(destroyed, with: noise(destroyed.count))
                }
                #expect(try salvage(damaged.bytes).whole == all)
            }
        }
        // The slot of one copy and the preamble of the other.
        var damaged = specimen
        damaged.header.replaceSubrange(0..<64, with: noise(64))
        damaged.trailer.replaceSubrange(128..<256, with: noise(128))
        #expect(try salvage(damaged.bytes).whole == all)
        damaged.header.replaceSubrange(128..<256, with: noise(128))
        #expect(throws: ContainerError.self) { try salvage(damaged.bytes) }
    }

    @Test(
        "What looks like a key slot by chance, or was planted, costs no derivation", arguments: [false, true])
    func slotsByChance(isPlanted: Bool) throws {
        var bytes = specimen.bytes
        // Where slots would stand if the block before the last header were one too.
        let block = bytes.count - 2 * 4096
        for slot in 0..<8 {
            bytes.replaceSubrange(
                (block + 128 + slot * 128)..<(block + 132 + slot * 128), with: bigEndian(9_999_999, 4))
        }
        // Almost half of a header is zeroes.
        if isPlanted { bytes.replaceSubrange((block + 2204)..<(block + 4032), with: zeroes(1828)) }
        let folder = try TemporaryFolder()
        try folder.write("container", bytes)
        let text = Array(Blueprint.passphrase.utf8)
        let derivations = KeyDerivations()
        let salvage = try ContainerSalvage(
            opening: folder("container"), passphrase: Passphrase(preparing: text.span),
            derivations: derivations)
        #expect(salvage.entries.count > 10)
        #expect(derivations.count == 1)
    }

    @Test("Reserved bytes, generations and codes of both headers do not matter")
    func unimportantBytes() throws {
        var damaged = specimen
        try damaged.changeHeaders { header in
            for index in [70, 100, 300, 1200, 3990, 4090] { header[index] ^= 1 }
        }
        #expect(try salvage(damaged.bytes).whole == all)
    }

    @Test("A flipped byte costs one chunk, wherever it is")
    func flips() throws {
        let bytes = specimen.bytes
        for place in stride(from: 4096, to: bytes.count - 4096, by: 1543) {
            var damaged = bytes
            damaged[place] ^= 0x40
            let salvaged = try salvage(damaged, "byte \(place)")
            #expect(salvaged.lostBytes <= 16384, "byte \(place)")
            #expect(salvaged.whole.count >= all.count - 12, "byte \(place)")
        }
    }

    @Test("A damaged commitment costs nothing, and a damaged salt nothing that the index covers")
    func prefixes() throws {
        // The last segment, with the index in it, needs the salt of the one before.
        for segment in specimen.segments.indices.dropLast(2) {
            for place in [0, 23, 24, 55] {
                var damaged = specimen
                damaged.segments[segment][place] ^= 1
                let salvaged = try salvage(damaged.bytes, "segment \(segment), byte \(place)")
                #expect(salvaged.whole == all, "segment \(segment), byte \(place)")
            }
        }
    }

    @Test("Without the index a lost salt costs its segment and the next one, and no more")
    func lostSalt() throws {
        var damaged = specimen
        let last = damaged.segments.count - 1
        // The footer is in the last chunk.
        let end = damaged.segments[last].count
        damaged.segments[last][end - 1] ^= 1
        #expect(try !salvage(damaged.bytes).hasIndex)
        #expect(try salvage(damaged.bytes).whole == all)
        damaged.segments[1][0] ^= 1
        let salvaged = try salvage(damaged.bytes)
        let lost = 2 * 4 * 16384
        #expect(salvaged.lostBytes <= lost + 16384 && salvaged.lostBytes >= lost - 1024)
    }

    @Test("A zeroed sector costs its chunk")
    func sectors() throws {
        let bytes = specimen.bytes
        for sector in 0..<(bytes.count / 4096) {
            var damaged = bytes
            damaged.replaceSubrange((sector * 4096)..<((sector + 1) * 4096), with: zeroes(4096))
            let salvaged = try salvage(damaged, "sector \(sector)")
            // It may reach over the end of one chunk into the next.
            #expect(salvaged.lostBytes <= 2 * 16384, "sector \(sector)")
        }
    }

    @Test("A file that was cut off gives what is before the cut")
    func cuts() throws {
        let bytes = specimen.bytes
        var before = 0
        for length in stride(from: 4096, through: bytes.count, by: 4099) {
            let cut = Array(bytes[..<length])
            guard length > 4096 + 72 else { continue }
            let salvaged = (try? salvage(cut, "\(length) bytes"))?.whole.count ?? 0
            #expect(salvaged >= before, "\(length) bytes")
            before = salvaged
        }
        #expect(before == all.count)
    }

    @Test("An unfinished container gives the entries in its sealed segments")
    func unfinished() throws {
        var unfinished = specimen
        unfinished.trailer = []
        unfinished.segments.removeLast()
        let salvaged = try salvage(unfinished.bytes)
        #expect(!salvaged.hasIndex && salvaged.whole.count > 20)
    }

    @Test("Segments of an earlier attempt are not given out as those of this one")
    func splicing() throws {
        var earlier = blueprint
        earlier.payload = noise(blueprint.payload.count, seed: 77)
        earlier.attempt = { _ in 1 }
        let old = try earlier.build()
        for segment in specimen.segments.indices.dropLast() {
            var spliced = specimen
            spliced.segments[segment] = old.segments[segment]
            let salvaged = try salvage(spliced.bytes, "segment \(segment)")
            #expect(salvaged.lostBytes > 0, "segment \(segment)")
        }
    }

    @Test("Sectors that the drive cannot read are as lost as damaged ones")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        try folder.write("container", specimen.bytes)
        let text = Array(Blueprint.passphrase.utf8)
        let secret = try Passphrase(preparing: text.span)
        let derivations = KeyDerivations()
        var target = 0
        var isDone = false
        while !isDone {
            let plan = FaultPlan([.read], at: target, .fail(5))
            try FaultPlan.$current.withValue(plan) {
                var salvage = try ContainerSalvage(
                    opening: folder("container"), passphrase: secret, derivations: derivations)
                for entry in salvage.entries {
                    let (found, lost) = try salvage.read(entry, 0..<entry.size)
                    guard lost.isEmpty else { continue }
                    #expect(found.elementsEqual(blueprint.payload[entry.range]), "read \(target)")
                }
            }
            isDone = plan.count <= target
            target += 7
        }
        #expect(target > 30)
    }

    // SECURITY.md: "`recover` extracts what still authenticates"
    @Test("Any damage whatever gives out nothing that was not written", arguments: 0..<40)
    func anything(seed: Int) throws {
        var bytes = specimen.bytes
        var random = noise(2000, seed: UInt64(seed + 1000)).makeIterator()
        func below(_ limit: Int) -> Int {
            (0..<4).reduce(0) { value, _ in value << 8 | Int(random.next() ?? 0) } % max(1, limit)
        }
        for _ in 0...below(6) {
            let start = below(bytes.count)
            let count = min(1 + below(20_000), bytes.count - start)
            switch below(4) {
            case 0: for index in start..<(start + count) { bytes[index] = 0 }
            case 1: for index in start..<(start + min(count, 20)) { bytes[index] ^= UInt8(1 + below(255)) }
            case 2: bytes.removeLast(min(count, bytes.count - 5000))
            default:
                let source = below(bytes.count - count)
                bytes.replaceSubrange(start..<(start + count), with: Array(bytes[source..<(source + count)]))
            }
        }
        do { _ = try salvage(bytes, "seed \(seed)") } catch is ContainerError {}
    }
}
