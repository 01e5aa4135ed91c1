import Testing
import VaultCrypto

@Suite("AES-256-GCM (NIST SP 800-38D)")
struct AES256GCMTests {
    @Test("gives the published ciphertexts and tags", arguments: try VectorFile.records("aes-256-gcm"))
    func published(record: VectorFile.Record) throws {
        let message = Message(
            key: try record["key"], nonce: try record["nonce"], data: try record["data"],
            sealed: try record["ciphertext"] + record["tag"])
        #expect(try message.sealing(try record["plaintext"]) == message.sealed)
        #expect(try message.opened() == record["plaintext"])
    }

    @Test(
        "agrees with Wycheproof on 256-bit keys, and takes no nonce but one of 96 bits",
        WycheproofFile.areThere)
    func wycheproof() throws {
        for vector in try WycheproofFile.vectors("aes_gcm_test.json")
        where try vector.number("keySize") == 256 {
            #expect(try vector.number("tagSize") == 128)
            let message = Message(
                key: try vector.bytes("key"), nonce: try vector.bytes("iv"), data: try vector.bytes("aad"),
                sealed: try vector.bytes("ct") + vector.bytes("tag"))
            let plaintext = try vector.bytes("msg")
            guard try vector.number("ivSize") == 96 else {
                #expect(throws: CryptoError(.invalidSize), "vector \(vector.id)") {
                    try message.sealing(plaintext)
                }
                #expect(throws: CryptoError(.invalidSize), "vector \(vector.id)") { try message.opened() }
                continue
            }
            #expect(
                try (message.sealing(plaintext) == message.sealed) == vector.isValid, "vector \(vector.id)")
            if vector.isValid {
                #expect(try message.opened() == plaintext, "vector \(vector.id)")
            } else {
                #expect(throws: CryptoError(.authenticationFailed), "vector \(vector.id)") {
                    try message.opened()
                }
            }
        }
    }

    @Test("opens nothing in which one bit was changed", arguments: [0, 1, 16, 33])
    func flips(count: Int) throws {
        var message = Message(data: [1, 2, 3])
        message.sealed = try message.sealing((0..<count).map { UInt8($0) })
        #expect(try message.opened().count == count)
        for part in [\Message.sealed, \.nonce, \.data, \.key] {
            for index in message[keyPath: part].indices {
                var other = message
                other[keyPath: part][index] ^= 0x10
                #expect(throws: CryptoError(.authenticationFailed)) { try other.opened() }
            }
        }
    }

    /// OpenSSL accepts tags of 1 to 16 bytes when it opens.
    @Test("takes no tag shorter than 16 bytes", arguments: 0..<16)
    func shortTags(length: Int) throws {
        var message = Message()
        message.sealed = Array(try message.sealing([])[..<length])
        #expect(throws: CryptoError(.authenticationFailed)) { try message.opened() }
        message.sealed = []
        message.sealed = Array(try message.sealing([5, 6, 7]).dropLast(16 - length))
        #expect(throws: CryptoError(.authenticationFailed)) { try message.opened() }
    }

    @Test("takes no key but one of 32 bytes", arguments: [0, 16, 24, 31, 33, 64])
    func keySizes(count: Int) {
        #expect(throws: CryptoError(.invalidSize)) {
            try Message(key: [UInt8](repeating: 1, count: count)).sealing([1])
        }
    }

    @Test("serves any number of messages under one key, in both directions, also after a failure")
    func reuse() throws {
        var cipher = try AES256GCM(key: SecretBytes(Message().key))
        for number in UInt8(0)..<20 {
            let nonce = [UInt8](repeating: number, count: 12)
            let plaintext = [UInt8](repeating: number, count: Int(number) * 3)
            var sealed = try [UInt8](capacity: 100) { output throws(CryptoError) in
                try cipher.seal(plaintext.span, nonce: nonce.span, authenticating: Span(), into: &output)
            }
            #expect(try sealed == Message(nonce: nonce).sealing(plaintext))
            let opened = try [UInt8](capacity: 100) { output throws(CryptoError) in
                try cipher.open(sealed.span, nonce: nonce.span, authenticating: Span(), into: &output)
            }
            #expect(opened == plaintext)
            sealed[0] ^= 1
            #expect(throws: CryptoError(.authenticationFailed)) {
                _ = try [UInt8](capacity: 100) { output throws(CryptoError) in
                    try cipher.open(sealed.span, nonce: nonce.span, authenticating: Span(), into: &output)
                }
            }
        }
    }

    @Test("appends to what the output holds, and nothing after a failure")
    func appending() throws {
        var message = Message()
        message.sealed = try message.sealing([1, 2, 3, 4])
        var cipher = try AES256GCM(key: SecretBytes(message.key))
        var output: [UInt8] = [9]
        for isDamaged in [false, true] {
            if isDamaged { message.sealed[0] ^= 1 }
            do {
                try output.append(addingCapacity: 4) { output throws(CryptoError) in
                    try cipher.open(
                        message.sealed.span, nonce: message.nonce.span, authenticating: Span(), into: &output)
                }
            } catch {
                #expect(isDamaged && error.code == .authenticationFailed)
            }
            #expect(output == [9, 1, 2, 3, 4])
        }
    }

    @Test("leaves zeroes where a secret would have been, when the tag is wrong")
    func secrets() throws {
        var message = Message()
        message.sealed = try message.sealing([UInt8](repeating: 0xaa, count: 32))
        #expect(try message.filled(32) == [UInt8](repeating: 0xaa, count: 32))
        for index in message.sealed.indices {
            var other = message
            other.sealed[index] ^= 1
            #expect(try other.filled(32) == nil)
        }
        #expect(throws: CryptoError(.invalidSize)) { try message.filled(31) }
    }

    @Test("takes no output with too little room")
    func room() throws {
        var message = Message()
        message.sealed = try message.sealing([1, 2, 3, 4])
        #expect(throws: CryptoError(.invalidSize)) { try message.opened(room: 3) }
        #expect(throws: CryptoError(.invalidSize)) { try message.sealing([1, 2, 3, 4], room: 19) }
    }
}

/// All that goes into a message, and the message itself.
private struct Message {
    var key = (0..<32).map { UInt8($0) }
    var nonce = [UInt8](repeating: 3, count: 12)
    var data: [UInt8] = []
    /// Ciphertext and tag.
    var sealed: [UInt8] = []

    func sealing(_ plaintext: [UInt8], room: Int? = nil) throws -> [UInt8] {
        var cipher = try AES256GCM(key: SecretBytes(key))
        return try [UInt8](capacity: room ?? plaintext.count + 16) { output throws(CryptoError) in
            try cipher.seal(plaintext.span, nonce: nonce.span, authenticating: data.span, into: &output)
        }
    }

    func opened(room: Int? = nil) throws -> [UInt8] {
        var cipher = try AES256GCM(key: SecretBytes(key))
        return try [UInt8](capacity: room ?? sealed.count) { output throws(CryptoError) in
            try cipher.open(sealed.span, nonce: nonce.span, authenticating: data.span, into: &output)
        }
    }

    /// Opens into a target that is full of other bytes; nil when the tag is wrong, and then it must be zero.
    func filled(_ count: Int) throws -> [UInt8]? {
        var cipher = try AES256GCM(key: SecretBytes(key))
        var target = [UInt8](repeating: 0x55, count: count)
        var span = target.mutableSpan
        do {
            try cipher.open(sealed.span, nonce: nonce.span, authenticating: data.span, filling: &span)
            return target
        } catch {
            guard error.code == .authenticationFailed else { throw error }
            struct NotCleared: Error {}
            guard target.allSatisfy({ $0 == 0 }) else { throw NotCleared() }
            return nil
        }
    }
}
