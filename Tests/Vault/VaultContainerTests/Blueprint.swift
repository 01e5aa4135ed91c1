import Synchronization
import SystemIO
import VaultCrypto

/// Puts containers together from the text of their specification, without the product's writer.
///
/// Everything random comes out of `seed`. Each part can be made wrong before it is used, so that there are containers
/// that are wrong but validly encrypted.
struct Blueprint: Sendable {
    static let passphrase = "correct horse battery"

    var segmentChunks = 1
    var seed = 1
    var passphrase = Self.passphrase
    /// Fills the second key slot.
    var secondPassphrase: String?
    /// By the numbers of their slots.
    var labels: [Int: String] = [:]
    var changeLabels: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    var iterations = 100_000
    var generation = 1
    var payload: [UInt8] = []
    var entries: [Entry] = []
    /// At which attempt of writing each segment got its salt.
    var attempt: @Sendable (Int) -> Int = { _ in 0 }
    /// Whether a segment is sealed as the last one, by its number and the number of the last.
    var isFinal: @Sendable (Int, Int) -> Bool = { $0 == $1 }
    var changeIndex: @Sendable (String) -> String = { $0 }
    var changeFrames: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    var changePadding: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    var changeFooter: @Sendable ([UInt8]) -> [UInt8] = { $0 }

    struct Entry: Sendable {
        var name: BytePath
        var offset: Int
        var length: Int
        var sha256: [UInt8]
    }

    /// A container with a tar of these members.
    init(segmentChunks: Int = 1, members: [(name: BytePath, data: [UInt8])]) throws {
        self.segmentChunks = segmentChunks
        for (name, data) in members {
            payload += tarHeader(name, data.count)
            let digest = try SHA256.digest(of: data.span)
            entries.append(Entry(name: name, offset: payload.count, length: data.count, sha256: digest))
            payload += data + zeroes((512 - data.count % 512) % 512)
        }
        payload += zeroes(1024)
    }

    /// A container with any payload and no entries.
    init(segmentChunks: Int = 1, payload: [UInt8]) {
        self.segmentChunks = segmentChunks
        self.payload = payload
    }

    func build() throws -> Specimen {
        let capacity = segmentChunks * 16384
        let salts = (0...(payload.count / capacity)).map { salt(ofSegment: $0) }
        let index = changeFrames(rawFrames(Array(changeIndex(indexText(salts)).utf8)))
        let total = Self.totalLength(payload.count + index.count + 64, segmentChunks)
        let padding = changePadding(zeroes(total - payload.count - index.count - 64))
        let footer = changeFooter(
            Array("HVFOOT01".utf8) + bigEndian(payload.count) + bigEndian(index.count) + bigEndian(total)
                + (try SHA256.digest(of: index.span)))
        let stream = payload + index + padding + footer

        let keys = try Keys(self)
        let count = (total + capacity - 1) / capacity
        var segments: [[UInt8]] = []
        for number in 0..<count {
            let previous = number > 0 ? salt(ofSegment: number - 1) : zeroes(24)
            let isFinal = isFinal(number, count - 1)
            let context = keys.preamble + bigEndian(number) + [isFinal ? 1 : 0] + previous
            let end = min((number + 1) * capacity, stream.count)
            segments.append(
                try keys.seal(Array(stream[(number * capacity)..<end]), salt(ofSegment: number), context))
        }
        return Specimen(header: try keys.header(self), segments: segments, trailer: try keys.header(self))
    }

    func salt(ofSegment number: Int) -> [UInt8] { random("salt \(number) of attempt \(attempt(number))", 24) }

    func random(_ purpose: String, _ count: Int) -> [UInt8] {
        let text = Array("\(seed) \(purpose)".utf8)
        return Array(((try? SHA256.digest(of: text.span)) ?? [])[..<count])
    }

    private func indexText(_ salts: [[UInt8]]) -> String {
        let entries = entries.map {
            #"{"name":"\#($0.name.text ?? "")","offset":\#($0.offset),"length":\#($0.length),"sha256":"\#(hexadecimal($0.sha256))"}"#
        }
        let list = salts.map { "\"\(hexadecimal($0))\"" }.joined(separator: ",")
        return """
            {"version":1,"tool":"blueprint","created":"2026-01-01T00:00:00Z","salts":[\(list)],\
            "entries":[\(entries.joined(separator: ","))]}
            """
    }

    /// The smallest length from Padmé's on, or from 256 KiB down from what is needed on, with which the file is a multiple of 4096 bytes and the last segment holds
    /// the footer.
    static func totalLength(_ needed: Int, _ segmentChunks: Int) -> Int {
        let capacity = segmentChunks * 16384
        var total = needed < 262_144 ? needed : padme(needed)
        while true {
            let count = (total + capacity - 1) / capacity
            let last = total - (count - 1) * capacity
            let lastSize = 56 + last + 16 * (last / 16384 + 1)
            let size = 8192 + (count - 1) * (segmentChunks * 16400 + 72) + lastSize
            if last >= 64, size.isMultiple(of: 4096) { return total }
            total += 1
        }
    }

    /// E = floor(log2 L), S = floor(log2 E) + 1; L rounded up to a multiple of 2^(E - S).
    static func padme(_ length: Int) -> Int {
        var exponent = 0
        while length >> (exponent + 1) > 0 { exponent += 1 }
        var kept = 0
        while exponent >> kept > 0 { kept += 1 }
        let step = 1 << max(0, exponent - kept)
        return (length + step - 1) / step * step
    }
}

/// The keys of a blueprint's container.
private struct Keys {
    let preamble: [UInt8]
    private let fileKey: [UInt8]
    private let segmentKey: [UInt8]

    init(_ blueprint: Blueprint) throws {
        fileKey = blueprint.random("file key", 32)
        segmentKey = try expand(fileKey, Array("healthvault/v1 segment".utf8), 32)
        preamble =
            [0x89, 0x48, 0x56, 0x4c, 0x54, 0x0d, 0x0a, 0x1a, 1, 1, 0, 0]
            + bigEndian(blueprint.segmentChunks, 4) + zeroes(16) + blueprint.random("vault", 32)
    }

    func header(_ blueprint: Blueprint) throws -> [UInt8] {
        var header = preamble + bigEndian(blueprint.generation) + zeroes(56)
        header += try slot(blueprint, blueprint.passphrase, "first")
        if let second = blueprint.secondPassphrase { header += try slot(blueprint, second, "second") }
        header += zeroes(1152 - header.count) + blueprint.changeLabels(try labels(blueprint))
        header += zeroes(4000 - header.count)
        let key = try SecretBytes(try expand(fileKey, Array("healthvault/v1 header".utf8), 64))
        return try resealed(header + zeroes(32) + HMACSHA512.code(of: header.span, key: key))
    }

    private func slot(_ blueprint: Blueprint, _ passphrase: String, _ purpose: String) throws -> [UInt8] {
        let salt = blueprint.random("\(purpose) slot's salt", 32)
        let nonce = blueprint.random("\(purpose) slot's nonce", 12)
        let derived = try stretched(passphrase, salt, blueprint.iterations)
        let open = bigEndian(blueprint.iterations, 4) + salt + derived[32...]
        var cipher = try AES256GCM(key: SecretBytes(Array(derived[..<32])))
        let data = preamble + open
        let sealed = try [UInt8](capacity: 48) { output throws(CryptoError) in
            try cipher.seal(fileKey.span, nonce: nonce.span, authenticating: data.span, into: &output)
        }
        return open + nonce + sealed
    }

    private func labels(_ blueprint: Blueprint) throws -> [UInt8] {
        let plain = (0..<8).flatMap { number in
            let text = Array((blueprint.labels[number] ?? "").utf8)
            return text + zeroes(128 - text.count)
        }
        let nonce = blueprint.random("labels' nonce", 12)
        let key = try SecretBytes(try expand(fileKey, Array("healthvault/v1 labels".utf8), 32))
        var cipher = try AES256GCM(key: key)
        return nonce
            + (try [UInt8](capacity: 1040) { output throws(CryptoError) in
                try cipher.seal(plain.span, nonce: nonce.span, authenticating: Span(), into: &output)
            })
    }

    /// A message of C2SP chunked encryption.
    func seal(_ plaintext: [UInt8], _ salt: [UInt8], _ context: [UInt8]) throws -> [UInt8] {
        let label = Array("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM".utf8) + [0]
        let keys = try expand(segmentKey, label + salt + context, 76)
        var cipher = try AES256GCM(key: SecretBytes(Array(keys[..<32])))
        var message = salt + keys[44...]
        for (number, start) in stride(from: 0, through: plaintext.count, by: 16384).enumerated() {
            let chunk = Array(plaintext[start..<min(start + 16384, plaintext.count)])
            var nonce = Array(keys[32..<44])
            for place in 0..<8 { nonce[11 - place] ^= UInt8(truncatingIfNeeded: number >> (8 * place)) }
            message += try [UInt8](capacity: chunk.count + 16) { output throws(CryptoError) in
                try cipher.seal(chunk.span, nonce: nonce.span, authenticating: Span(), into: &output)
            }
        }
        return message
    }
}

/// A container in its pieces, for tests that put them together wrongly.
struct Specimen: Sendable {
    var header: [UInt8]
    var segments: [[UInt8]]
    var trailer: [UInt8]

    var bytes: [UInt8] {
        var bytes = header
        for segment in segments { bytes += segment }
        return bytes + trailer
    }

    /// Where a segment starts in the file.
    func offset(ofSegment number: Int) -> Int { segments[..<number].reduce(header.count) { $0 + $1.count } }

    /// Changes both copies of the header alike, as a forger does: their digests fit again.
    mutating func changeHeaders(_ change: (inout [UInt8]) -> Void) throws {
        change(&header)
        change(&trailer)
        header = try resealed(header)
        trailer = try resealed(trailer)
    }
}

/// A header whose digest fits.
func resealed(_ header: [UInt8]) throws -> [UInt8] {
    let others = Array(header[..<4000] + header[4032...])
    return try Array(header[..<4000]) + SHA256.digest(of: others.span) + header[4032...]
}

/// PBKDF2 is slow on purpose, so each result is kept.
func stretched(_ passphrase: String, _ salt: [UInt8], _ iterations: Int) throws -> [UInt8] {
    let input = Array(passphrase.utf8) + salt + bigEndian(iterations)
    if let known = knownKeys.withLock({ $0[input] }) { return known }
    let secret = try SecretBytes(Array(passphrase.utf8))
    let key = try PBKDF2.derive(passphrase: secret, salt: salt.span, iterations: iterations, count: 64).copy
    knownKeys.withLock { $0[input] = key }
    return key
}

private let knownKeys = Mutex<[[UInt8]: [UInt8]]>([:])

func expand(_ key: [UInt8], _ info: [UInt8], _ count: Int) throws -> [UInt8] {
    let secret = try SecretBytes(key)
    return try HKDFSHA512.expand(key: secret, info: info.span, count: count).copy
}

/// POSIX ustar, for names of at most 100 bytes.
func tarHeader(_ name: BytePath, _ size: Int, kind: String = "0") -> [UInt8] {
    func octal(_ value: Int, _ digits: Int) -> [UInt8] {
        let text = String(value, radix: 8)
        return Array((String(repeating: "0", count: digits - text.utf8.count) + text).utf8) + [0]
    }
    var block = name.bytes + zeroes(100 - name.count) + octal(0o600, 7) + octal(0, 7) + octal(0, 7)
    block += octal(size, 11) + octal(0, 11) + Array(("        " + kind).utf8) + zeroes(100)
    block += Array("ustar".utf8) + [0] + Array("00".utf8) + zeroes(247)
    let sum = block.reduce(0) { $0 + Int($1) }
    block.replaceSubrange(148..<155, with: octal(sum, 6))
    return block
}

/// Frames of a MiB each.
func rawFrames(_ content: [UInt8]) -> [UInt8] {
    stride(from: 0, to: max(1, content.count), by: 1 << 20).flatMap { start in
        rawFrame(Array(content[start..<min(start + 1 << 20, content.count)]))
    }
}

/// A Zstandard frame (RFC 8878) of one segment and raw blocks, without the product's compressor.
func rawFrame(_ content: [UInt8]) -> [UInt8] {
    func littleEndian(_ value: Int, _ count: Int) -> [UInt8] { bigEndian(value, count).reversed() }
    var frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0xa0] + littleEndian(content.count, 4)
    let size = 1 << 17
    for start in stride(from: 0, to: max(1, content.count), by: size) {
        let block = content[start..<min(start + size, content.count)]
        frame += littleEndian(block.count << 3 | (block.endIndex == content.count ? 1 : 0), 3) + block
    }
    return frame
}

func zeroes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

/// An unsigned integer, the most significant byte first.
func bigEndian(_ value: Int, _ count: Int = 8) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

extension SecretBytes {
    init(_ bytes: [UInt8]) throws(CryptoError) { try self.init(copying: bytes.span) }

    /// The bytes; only tests may do this.
    var copy: [UInt8] { withSpan { span in span.indices.map { span[$0] } } }
}
