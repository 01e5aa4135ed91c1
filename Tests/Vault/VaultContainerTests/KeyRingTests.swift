import SystemIO
import Testing
import VaultCrypto

@testable import VaultContainer

@Suite("A key ring")
struct KeyRingTests {
    /// A ring with the keys of some containers that no file has.
    private struct Sample {
        let key: RingKey
        let containers: [ContainerKey]
        let bytes: [UInt8]

        init(_ count: Int, key: RingKey? = nil, containers given: [ContainerKey]? = nil) throws {
            self.key = try key ?? .random()
            containers = try given ?? (0..<count).map { _ in try ContainerKey.new() }
            var draft = try KeyRingDraft(key: self.key)
            for container in containers { try draft.add(container) }
            bytes = try draft.bytes()
        }

        /// Where the entry of a container starts.
        func offset(of container: ContainerKey) throws -> Int {
            let sorted = containers.map(\.identifierBytes).sorted { $0.lexicographicallyPrecedes($1) }
            return 96 + 80 * (try #require(sorted.firstIndex(of: container.identifierBytes)))
        }
    }

    private func failure(_ bytes: [UInt8], _ key: RingKey) -> ContainerError.Code? {
        do throws(ContainerError) {
            _ = try KeyRing(bytes, key: key)
            return nil
        } catch { return error.code }
    }

    @Test("gives out each key that was put in, and no other", arguments: [0, 1, 2, 3, 64])
    func roundTrip(count: Int) throws {
        let sample = try Sample(count)
        let ring = try KeyRing(sample.bytes, key: sample.key)
        #expect(sample.bytes.count == 160 + 80 * count && ring.count == count)
        #expect(ring.identifiers == sample.containers.map(\.identifier).sorted())
        for container in sample.containers {
            let fileKey = try ring.fileKey(of: container.identifierBytes)
            let isSame = fileKey.equals(container.fileKey)
            #expect(isSame)
        }
        for absent in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32)] {
            #expect(throws: ContainerError(.notInKeyRing)) { _ = try ring.fileKey(of: absent).count }
        }
    }

    // SECURITY.md: "reads a ring without any code of this program"
    @Test("is computed as the format says")
    func specification() throws {
        let sample = try Sample(2)
        let key = try TemporaryFolder().keyBytes(of: sample.key)
        let (ring, commitment) = (Array(sample.bytes[32..<64]), Array(sample.bytes[64..<96]))
        func derived(_ purpose: String, _ more: [UInt8], _ count: Int) throws -> [UInt8] {
            try expand(key, Array("healthvault/v1 keyring \(purpose)".utf8) + ring + more, count)
        }
        #expect(Array(sample.bytes[..<12]) == [0x89, 0x48, 0x56, 0x4b, 0x52, 0x0d, 0x0a, 0x1a, 1, 1, 0, 0])
        #expect(Array(sample.bytes[12..<32]) == [0, 0, 0, 2] + zeroes(16))
        #expect(try derived("commitment", [], 32) == commitment)
        for container in sample.containers {
            let offset = try sample.offset(of: container)
            let archive = Array(sample.bytes[offset..<(offset + 32)])
            #expect(archive == container.identifierBytes)
            let keys = try derived("entry", archive, 44)
            var cipher = try AES256GCM(key: SecretBytes(Array(keys[..<32])))
            let (nonce, data, fileKey) = (Array(keys[32...]), ring + archive, container.fileKey.copy)
            let sealed = try [UInt8](capacity: 48) { output throws(CryptoError) in
                try cipher.seal(fileKey.span, nonce: nonce.span, authenticating: data.span, into: &output)
            }
            #expect(Array(sample.bytes[(offset + 32)..<(offset + 80)]) == sealed)
        }
        let code = try HMACSHA512.code(
            of: Array(sample.bytes.dropLast(64)).span, key: SecretBytes(try derived("code", [], 64)))
        #expect(Array(sample.bytes.suffix(64)) == code)
    }

    // SECURITY.md: "A reader checks, in this order"
    // SECURITY.md: "learn a key, or add, remove, swap or change an entry unnoticed"
    @Test("with any bit changed is refused as a whole")
    func everyBit() throws {
        let sample = try Sample(3)
        for bit in 0..<(sample.bytes.count * 8) {
            var changed = sample.bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            let expected: ContainerError.Code =
                switch bit / 8 {
                case 0..<8: .notKeyRing
                case 8: .unsupportedVersion
                case 9: .unsupportedSuite
                // The identifier decides what the commitment must be, and both whether the key is the right one.
                case 32..<96: .wrongRingKey
                default: .keyRingDamaged
                }
            #expect(failure(changed, sample.key) == expected, "byte \(bit / 8)")
        }
    }

    // SECURITY.md: "A reader checks, in this order"
    // SECURITY.md: "learn a key, or add, remove, swap or change an entry unnoticed"
    @Test("that is cut off anywhere, or goes on, is refused")
    func everyLength() throws {
        let sample = try Sample(3)
        for count in 0..<sample.bytes.count {
            let expected: ContainerError.Code = count < 8 ? .notKeyRing : .keyRingDamaged
            #expect(failure(Array(sample.bytes[..<count]), sample.key) == expected, "\(count)")
        }
        for more in [1, 80] { #expect(failure(sample.bytes + zeroes(more), sample.key) == .keyRingDamaged) }
    }

    // SECURITY.md: "learn a key, or add, remove, swap or change an entry unnoticed"
    @Test("with entries removed, repeated, swapped or exchanged is refused")
    func entries() throws {
        let sample = try Sample(3)
        let entries = (0..<3).map { Array(sample.bytes[(96 + 80 * $0)..<(176 + 80 * $0)]) }
        func ring(_ entries: [[UInt8]]) -> [UInt8] {
            var header = Array(sample.bytes[..<96])
            header[15] = UInt8(entries.count)
            return header + entries.flatMap(\.self) + sample.bytes.suffix(64)
        }
        #expect(ring(entries) == sample.bytes && failure(ring(entries), sample.key) == nil)
        // What two entries have in common with each other's identifier.
        let crossed = [
            Array(entries[0][..<32]) + entries[1][32...], Array(entries[1][..<32]) + entries[0][32...],
            entries[2],
        ]
        let wrong = [
            [entries[0], entries[1]], [entries[1], entries[2]], [entries[0], entries[2]], [],
            [entries[1], entries[0], entries[2]], entries + [entries[2]],
            [entries[0], entries[0], entries[2]], crossed,
        ]
        for entries in wrong { #expect(failure(ring(entries), sample.key) == .keyRingDamaged) }
    }

    // SECURITY.md: "learn a key, or add, remove, swap or change an entry unnoticed"
    @Test("takes no entry of another ring, not even of one with the same key and the same archives")
    func otherRing() throws {
        let sample = try Sample(2)
        let other = try Sample(0, key: sample.key, containers: sample.containers)
        #expect(sample.bytes != other.bytes)
        let place = 96..<176
        var mixed = sample.bytes
        mixed.replaceSubrange(place, with: other.bytes[place])
        #expect(failure(mixed, sample.key) == .keyRingDamaged)
        // Not even if its code were right: the entry is bound to its ring.
        let content = Array(mixed.dropLast(64))
        let code = try KeyRing.code(content.span, sample.key, ring: Array(mixed[32..<64]))
        let ring = try KeyRing(content + code, key: sample.key)
        #expect(throws: ContainerError(.keyRingDamaged)) {
            _ = try ring.fileKey(of: Array(mixed[96..<128])).count
        }
    }

    @Test("opens with its own key alone")
    func wrongKey() throws {
        let sample = try Sample(1)
        #expect(failure(sample.bytes, try .random()) == .wrongRingKey)
    }

    // SECURITY.md: "which someone may craft, gets no entry"
    @Test("encrypts one key for an identifier, whatever second one comes with it")
    func oneKeyForAnIdentifier() throws {
        let first = try ContainerKey.new()
        let second = try ContainerKey(fileKey: .random(count: 32), preamble: first.preamble)
        var draft = try KeyRingDraft(key: .random())
        try draft.add(first)
        let bytes = try draft.bytes()
        try draft.add(second)
        #expect(try draft.bytes() == bytes && draft.count == 1)
    }

    // SECURITY.md: "at most 1,048,576"
    @Test("with a number of entries that no file could have is refused before anything is added up")
    func absurdCounts() throws {
        let sample = try Sample(1)
        for count: Int in [1 << 32 - 1, 1 << 31, 1 << 20 + 1] {
            var changed = sample.bytes
            changed.replaceSubrange(12..<16, with: bigEndian(count, 4))
            #expect(failure(changed, sample.key) == .keyRingDamaged)
        }
    }

    // SECURITY.md: "The header of each archive must be authentic under that key"
    @Test("opens a container without a key derivation, and none whose key it lacks or that only says so")
    func opening() throws {
        let folder = try TemporaryFolder()
        let writing = try Writing.shared(1)
        try writing.write([("a", noise(50_000))], to: folder("a"))
        let (key, other) = (try RingKey.random(), try ContainerKey.new())
        func ring(_ container: ContainerKey) throws -> KeyRing {
            var draft = try KeyRingDraft(key: key)
            try draft.add(container)
            return try KeyRing(try draft.bytes(), key: key)
        }
        let reader = try ContainerReader(opening: folder("a"), key: .keyRing(try ring(writing.key)))
        #expect(try reader.data(of: reader.entries[0]) == noise(50_000))
        let impostor = try ContainerKey(fileKey: .random(count: 32), preamble: writing.key.preamble)
        for (container, expected) in [(other, ContainerError.Code.notInKeyRing), (impostor, .headerTampered)]
        {
            #expect(throws: ContainerError(expected)) {
                _ = try ContainerReader(opening: folder("a"), key: .keyRing(try ring(container))).size
            }
        }
    }

    @Test("recovers a container of which no key slot is intact")
    func salvage() throws {
        let folder = try TemporaryFolder()
        let writing = try Writing.shared(1)
        try writing.write([("a", noise(50_000))], to: folder("a"))
        var bytes = try fileBytes(folder("a"))
        for start in [ContainerFormat.slots.lowerBound, bytes.count - ContainerFormat.headerSize + 128] {
            for place in start..<(start + ContainerFormat.slots.count) { bytes[place] = 0 }
        }
        try folder.write("b", bytes)
        let key = try RingKey.random()
        var draft = try KeyRingDraft(key: key)
        try draft.add(writing.key)
        let ring = try KeyRing(try draft.bytes(), key: key)
        var salvage = try ContainerSalvage(opening: folder("b"), key: .keyRing(ring))
        let entry = salvage.entries[0]
        #expect(try salvage.read(entry, 0..<50_000).bytes == noise(50_000))
        #expect(throws: ContainerError(.notContainer)) { try ContainerSalvage.check(folder("b")) }
        let other = try KeyRing(try KeyRingDraft(key: key).bytes(), key: key)
        #expect(throws: ContainerError(.notInKeyRing)) {
            _ = try ContainerSalvage(opening: folder("b"), key: .keyRing(other)).hasIndex
        }
    }
}

@Suite("The key of a key ring")
struct RingKeyTests {
    private func failure(_ path: BytePath) -> ContainerError.Code? {
        do throws(ContainerError) {
            _ = try RingKey(reading: path)
            return nil
        } catch { return error.code }
    }

    // SECURITY.md: "The key file is made with mode 0600"
    @Test("is read back from the file that it was saved to, which only its owner can read")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let key = try RingKey.random()
        try key.save(to: folder("key"))
        let status = try FileStatus(at: folder("key"))
        #expect(status.size == 32 && status.isPrivate && !status.isOpenToOthers)
        var draft = try KeyRingDraft(key: key)
        try draft.add(try ContainerKey.new())
        let ring = try KeyRing(try draft.bytes(), key: try RingKey(reading: folder("key")))
        #expect(ring.count == 1)
        #expect(throws: ContainerError.self) { try key.save(to: folder("key")) }
    }

    @Test("has exactly 32 bytes", arguments: [0, 1, 31, 33, 64])
    func sizes(count: Int) throws {
        let folder = try TemporaryFolder()
        let file = try FileDescriptor(opening: folder("key"), .create)
        try file.write(noise(count).span)
        #expect(failure(folder("key")) == .ringKeyMalformed)
    }

    @Test("is no folder, and not missing")
    func otherThings() throws {
        let folder = try TemporaryFolder()
        #expect(failure(folder("")) == .ringKeyMalformed)
        guard case .io(let error) = failure(folder("missing")) else {
            Issue.record("read")
            return
        }
        #expect(error.isMissing)
    }
}

extension TemporaryFolder {
    /// The bytes of a key, by way of its file.
    fileprivate func keyBytes(of key: RingKey) throws -> [UInt8] {
        try key.save(to: self("key"))
        return try FileDescriptor(opening: self("key"), .read).bytes(at: 0, count: 100)
    }
}
