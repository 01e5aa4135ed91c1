import Glibc
import SystemIO
import Testing
import VaultContainer
import VaultCrypto

@Suite("No key and nonce are used twice (SECURITY.md, section 6)")
struct NonceLedgerTests {
    @Test("by several containers, by attempts that failed, and by the same content written again")
    func severalWrites() throws {
        let folder = try TemporaryFolder()
        var ledger = Ledger()
        for chunks in [1, 2] {
            let writing = try Writing.shared(chunks)
            let members: [(name: BytePath, data: [UInt8])] = [("a", noise(50_000)), ("b", noise(20_000))]
            for number in 0..<5 {
                try writing.write(members, to: folder("\(chunks)-\(number)"))
                try ledger.enter(folder("\(chunks)-\(number)"))
            }
            // Each of these leaves a file that somebody may have copied.
            for target in 0..<8 {
                let path = folder("\(chunks)-failed-\(target)")
                let plan = FaultPlan([.write, .fsync], at: target, .fail(ENOSPC))
                #expect(throws: ContainerError.self) {
                    try FaultPlan.$current.withValue(plan) { try writing.write(members, to: path) }
                }
                // And each is written again with the same key, as one does after making room.
                try ledger.enter(path + ".part")
                try? removeFile(path + ".part")
                try writing.write(members, to: path)
                try ledger.enter(path)
            }
        }
        #expect(ledger.messages > 150 && ledger.repeated == 0)
        #expect(ledger.salts.count == ledger.segments)
    }

    @Test("by key slots")
    func slots() throws {
        let writing = try Writing.shared(1)
        let folder = try TemporaryFolder()
        let text = Array(Blueprint.passphrase.utf8)
        var slots: Set<[UInt8]> = []
        for number in 0..<5 {
            var writer = try ContainerWriter(
                path: folder("\(number)"), key: writing.key, tool: "", created: "", modified: 0)
            try writer.write(
                writing.key.header(passphrase: Passphrase(preparing: text.span), iterations: 100_000))
            _ = consume writer
            let header = try fileBytes(folder("\(number).part"))
            slots.insert(Array(header[132..<164]))
            slots.insert(Array(header[196..<208]))
        }
        #expect(slots.count == 10)
    }
}

/// All pairs of key and nonce in containers, computed from what lies on the drive.
struct Ledger {
    /// With the last bytes of what was sealed under them, the tag.
    private var pairs: [[UInt8]: [UInt8]] = [:]
    /// How often a pair was used for two different messages.
    private(set) var conflicts = 0
    private(set) var salts: Set<[UInt8]> = []
    private(set) var segments = 0
    private(set) var messages = 0
    var repeated: Int { messages - pairs.count }

    /// Enters a container, or what there is of it.
    mutating func enter(_ path: BytePath) throws {
        guard exists(path) else { return }
        let bytes = try fileBytes(path)
        // Before its header is there nobody can open anything in it.
        guard bytes.count >= 4096, bytes[128..<132].contains(where: { $0 > 0 }) else { return }
        let chunks = Int(bytes[15])
        let segmentKey = try expand(
            try fileKey(Array(bytes[..<4096])), Array("healthvault/v1 segment".utf8), 32)
        var previous = zeroes(24)
        for number in 0... {
            let start = 4096 + number * (chunks * 16400 + 72)
            guard start + 72 <= bytes.count else { break }
            let salt = Array(bytes[start..<(start + 24)])
            let commitment = Array(bytes[(start + 24)..<(start + 56)])
            var matching: [UInt8]?
            for isFinal in [UInt8(0), 1] {
                var info = Array("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM".utf8) + [0] + salt
                info += bytes[..<64]
                info += bigEndian(number) + [isFinal] + previous
                let keys = try expand(segmentKey, info, 76)
                if Array(keys[44...]) == commitment { matching = keys }
            }
            guard let keys = matching else { break }
            segments += 1
            salts.insert(salt)
            let room = min(bytes.count - start, chunks * 16400 + 72) - 56
            for chunk in 0...((room - 16) / 16400) {
                var pair = Array(keys[..<44])
                pair[43] ^= UInt8(chunk)
                let from = start + 56 + chunk * 16400
                let end = min(from + 16400, start + 56 + room)
                let tag = Array(bytes[(end - 16)..<end])
                if let known = pairs.updateValue(tag, forKey: pair), known != tag { conflicts += 1 }
                messages += 1
            }
            previous = salt
        }
    }

    private func fileKey(_ header: [UInt8]) throws -> [UInt8] {
        let derived = try stretched(Blueprint.passphrase, Array(header[132..<164]), 100_000)
        var cipher = try AES256GCM(key: SecretBytes(Array(derived[..<32])))
        let nonce = Array(header[196..<208])
        let data = Array(header[..<64] + header[128..<196])
        let sealed = Array(header[208..<256])
        return try [UInt8](capacity: 32) { output throws(CryptoError) in
            try cipher.open(sealed.span, nonce: nonce.span, authenticating: data.span, into: &output)
        }
    }
}
