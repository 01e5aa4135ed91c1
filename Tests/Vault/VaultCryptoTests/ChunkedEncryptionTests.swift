import DataCompression
import SystemIO
import Testing
import VaultContainer
import VaultCrypto

@Suite("C2SP chunked encryption over AES-256-GCM (Cobblestone-256)")
struct ChunkedEncryptionTests {
    // SECURITY.md: "Each 16 KiB are authenticated before they leave the reader"
    @Test(
        "agrees with the vectors of C2SP, and gives out no byte behind the first wrong one",
        WycheproofFile.areThere)
    func vectors() throws {
        for vector in try WycheproofFile.vectors("c2sp_chunked_encryption_aes_256_gcm_test.json") {
            let key = try vector.bytes("key")
            let context = try vector.bytes("ctx")
            let message = try inflated(zlib: try vector.bytes("ct"))
            let (plaintext, isWhole) = opened(message, key: key, context: context)
            #expect(isWhole == vector.isValid, "vector \(vector.id)")
            if vector.isValid {
                #expect(try plaintext.count == vector.number("msgLength"), "vector \(vector.id)")
                #expect(try sha512(plaintext) == vector.texts["msgSha512"], "vector \(vector.id)")
                let secret = try SecretBytes(key)
                let salt = Array(message[..<24])
                let chunks = ChunkedEncryption.chunkCount(of: plaintext.count)
                for atOnce in [1, 8, chunks] {
                    var encryption = try ChunkedEncryption(inputKey: secret, salt: salt, context: context)
                    var again = salt + encryption.commitment
                    for first in stride(from: 0, to: chunks, by: atOnce) {
                        try encryption.seal(
                            chunks: first..<min(first + atOnce, chunks), of: plaintext.span, into: &again)
                    }
                    #expect(again == message, "vector \(vector.id)")
                }
            } else if vector.flags.contains("PartialPlaintext") {
                #expect(try plaintext.count == vector.number("msgLength"), "vector \(vector.id)")
                #expect(try sha512(plaintext) == vector.texts["msgSha512"], "vector \(vector.id)")
            } else {
                #expect(plaintext.isEmpty, "vector \(vector.id)")
            }
        }
    }

    @Test("takes no input key but one of 32 bytes", arguments: [0, 16, 31, 33])
    func keySizes(count: Int) throws {
        let key = try SecretBytes(zeroes: count)
        #expect(throws: CryptoError(.invalidSize)) {
            _ = try ChunkedEncryption(inputKey: key, salt: [UInt8](repeating: 0, count: 24), context: [])
        }
    }

    /// The nonce is the base XOR the number, in 96 bits: no bit must be lost past 0xFF or 0xFFFF.
    @Test("numbers chunks past one and two bytes")
    func counter() throws {
        let key = try SecretBytes([UInt8](repeating: 1, count: 32))
        var sealing = try ChunkedEncryption(
            inputKey: key, salt: [UInt8](repeating: 2, count: 24), context: [3])
        var sealed: [Int: [UInt8]] = [:]
        let numbers = [0, 1, 0xfe, 0xff, 0x100, 0x101, 0xffff, 0x10000, 0x10001, 0x1000000]
        for number in numbers {
            sealed[number] = try [UInt8](capacity: 20) { output throws(CryptoError) in
                try sealing.seal([1, 2, 3, 4].span, chunk: number, into: &output)
            }
        }
        #expect(Set(sealed.values).count == numbers.count)
        for (number, bytes) in sealed {
            for other in numbers {
                let plaintext = try? [UInt8](capacity: 4) { output throws(CryptoError) in
                    try sealing.open(bytes.span, chunk: other, into: &output)
                }
                #expect((plaintext == [1, 2, 3, 4]) == (other == number))
            }
        }
    }

    /// Opens a message as a stream: the chunks up to the first wrong one, and whether the message is whole.
    private func opened(_ message: [UInt8], key: [UInt8], context: [UInt8]) -> (
        plaintext: [UInt8], isWhole: Bool
    ) {
        guard message.count >= 56, let secret = try? SecretBytes(key),
            var encryption = try? ChunkedEncryption(
                inputKey: secret, salt: Array(message[..<24]), context: context)
        else { return ([], false) }
        let commitment = encryption.commitment
        guard constantTimeEqual(commitment.span, message.span.extracting(24..<56)) else { return ([], false) }
        var plaintext: [UInt8] = []
        var start = 56
        for chunk in 0... {
            let end = min(start + 16400, message.count)
            do {
                try plaintext.append(addingCapacity: 16384) { output throws(CryptoError) in
                    try encryption.open(message.span.extracting(start..<end), chunk: chunk, into: &output)
                }
            } catch { return (plaintext, false) }
            // The last chunk is always shorter than the others.
            if end - start < 16400 { return (plaintext, true) }
            start = end
        }
        return (plaintext, false)
    }

    /// The vectors' ciphertexts are zlib streams (RFC 1950): two bytes, DEFLATE, Adler-32.
    private func inflated(zlib: [UInt8]) throws -> [UInt8] {
        var inflate = Inflate()
        var output = [UInt8](repeating: 0, count: 5 << 20)
        var target = output.mutableSpan
        let step = try inflate.step(zlib.span.extracting(2..<zlib.count), into: &target, 0..<target.count)
        let isFinished = inflate.isFinished
        try #require(isFinished)
        output.removeLast(output.count - step.produced)
        return output
    }

    private func sha512(_ bytes: [UInt8]) throws -> String {
        let path: BytePath = "/tmp/healthvault-tests-\(Int.random(in: 0 ... .max))"
        let file = try FileDescriptor(opening: path, .create)
        defer { try? OpenFolder(holding: path).removeFile(path.name) }
        try file.write(bytes.span)
        var answer = try LockedPages(count: 4096)
        let (count, status) = try Shell.output(of: "sha512sum < \(path)", into: &answer)
        try #require(status == 0 && count > 128)
        return answer.withSpan { span in String(decoding: (0..<128).map { span[$0] }, as: UTF8.self) }
    }
}
