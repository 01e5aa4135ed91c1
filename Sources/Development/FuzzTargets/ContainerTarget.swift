import Glibc
import SystemIO
import VaultContainer
import VaultCrypto

/// The fuzz targets for containers and their parts.
enum ContainerTarget: Sendable {
    /// The container that the fuzzer's inputs are mutated from, with its contents, and its keys, derived once.
    private struct Original: Sendable {
        let bytes: [UInt8]
        /// Its contents as a tar stream.
        let entries: [UInt8]
        /// Its contents in their stored form.
        let payload: [UInt8]
        let derivations: KeyDerivations
    }

    private static let passphrase = Array("a passphrase for the fuzzer".utf8)
    private static let folder: BytePath = "/dev/shm/healthvault-fuzz-\(Int(getpid()))"

    /// The container that `FUZZ_CONTAINER` names.
    private static let original: Original = {
        do {
            let path = CurrentProcess.path(inEnvironment: "FUZZ_CONTAINER") ?? ""
            let file = try FileDescriptor(opening: path, .read)
            let bytes = try file.bytes(at: 0, count: try file.status().size)
            let derivations = KeyDerivations(mostIterations: 100_000)
            let reader = try ContainerReader(opening: path, passphrase: secret(), derivations: derivations)
            var entries: [UInt8] = []
            try reader.forEachMemberPiece(where: { _ in true }) { piece in
                for index in piece.indices { entries.append(piece[index]) }
            }
            return Original(
                bytes: bytes, entries: entries, payload: try reader.payload(0..<bytes.count),
                derivations: derivations)
        } catch { fatalError("FUZZ_CONTAINER must name a container with the fuzzer's passphrase: \(error)") }
    }()

    private static func secret() throws -> Passphrase { try Passphrase(preparing: passphrase.span) }

    /// Writes the input to a file, with the key slots of the original, because others would cost a second each.
    private static func write(_ input: [UInt8]) throws -> BytePath {
        var bytes = input
        let slots = 128..<1152
        for start in [0, bytes.count - 4096] where start >= 0 && start + 4096 <= bytes.count {
            bytes.replaceSubrange(
                (start + slots.lowerBound)..<(start + slots.upperBound), with: original.bytes[slots])
        }
        let path = folder + ".hvault"
        try? OpenFolder(holding: path).removeFile(path.name)
        let file = try FileDescriptor(opening: path, .create)
        try file.write(bytes.span)
        return path
    }

    /// Checks that released plaintext is a prefix of the original.
    @Sendable static func read(_ input: [UInt8]) {
        do {
            let reader = try ContainerReader(
                opening: try write(input), passphrase: try secret(), derivations: original.derivations)
            var position = 0
            try reader.forEachMemberPiece(where: { _ in true }) { piece in
                for index in piece.indices {
                    guard position < original.entries.count, piece[index] == original.entries[position] else {
                        violated("released plaintext is a prefix of the original")
                    }
                    position += 1
                }
            }
            var cursor = EntryCursor()
            for entry in reader.entries {
                let bytes = try reader.data(of: entry)
                guard try cursor.data(of: entry, in: reader) == bytes else {
                    violated("an entry is the same however it is read")
                }
            }
            _ = try reader.verify()
        } catch {}
    }

    /// Checks that recovered plaintext is at its place in the original.
    @Sendable static func recover(_ input: [UInt8]) {
        do {
            var salvage = try ContainerSalvage(
                opening: try write(input), passphrase: try secret(), derivations: original.derivations)
            // Bundled entries have no place in the payload.
            for entry in salvage.entries where entry.bundle == nil {
                let (bytes, lost) = try salvage.read(entry, 0..<entry.size)
                var isLost = [Bool](repeating: false, count: bytes.count)
                for range in lost { for index in range { isLost[index] = true } }
                for (index, byte) in bytes.enumerated() where !isLost[index] {
                    let place = entry.offset + index
                    guard place >= original.payload.count || byte == original.payload[place] else {
                        violated("recovered plaintext is that of the original")
                    }
                }
            }
        } catch {}
    }

    /// Checks that an accepted header is written as it was read.
    @Sendable static func header(_ input: [UInt8]) {
        // Chance does not meet a digest.
        let input = Header.resealed(input) ?? input
        guard let header = try? Header(input) else { return }
        if header.bytes != input { violated("a header is written as it was read") }
    }

    /// Checks that the entries of an accepted index are in the payload, one after the other; the index may be
    /// compressed.
    @Sendable static func index(_ input: [UInt8]) {
        let length = 1 << 20
        let text = try? ContainerIndex(input, payloadLength: length)
        guard let index = text ?? (try? ContainerIndex(frames: input, payloadLength: length)) else { return }
        var end = 0
        for entry in index.payload {
            guard entry.offset >= end, entry.length >= 0, entry.offset + entry.length <= length else {
                violated("entries lie in the payload")
            }
            end = entry.offset + entry.length
        }
    }

    /// Checks that the members of a tar stream are in it, one after the other.
    @Sendable static func tar(_ input: [UInt8]) {
        let walk = try? TarWalk(length: input.count) { range in ([UInt8](input[range]), []) }
        var end = 0
        for entry in walk?.entries ?? [] {
            guard entry.range.lowerBound >= end, entry.range.upperBound <= input.count else {
                violated("members lie in the stream")
            }
            end = entry.range.upperBound
        }
    }
}
