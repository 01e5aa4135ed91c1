import Testing
import VaultCrypto

@Suite("HMAC-SHA-512 (RFC 2104, FIPS 198-1)")
struct HMACSHA512Tests {
    @Test("gives the codes of RFC 4231", arguments: try VectorFile.records("hmac-sha512"))
    func published(record: VectorFile.Record) throws {
        #expect(try code(of: try record["message"], key: try record["key"]) == record["code"])
    }

    @Test("agrees with Wycheproof", WycheproofFile.areThere)
    func wycheproof() throws {
        for vector in try WycheproofFile.vectors("hmac_sha512_test.json") {
            let code = try code(of: try vector.bytes("msg"), key: try vector.bytes("key"))
            let tag = try vector.bytes("tag")
            #expect(try tag.count * 8 == vector.number("tagSize"))
            #expect(code.starts(with: tag) == vector.isValid, "vector \(vector.id)")
        }
    }

    @Test("takes an empty message and an empty key")
    func empty() throws {
        // hmac.digest(b"", b"", "sha512") in Python.
        let expected = """
            b936cee86c9f87aa5d3c6f2e84cb5a4239a5fe50480a6ec66b70ab5b1f4ac673\
            0c6c515421b327ec1d69402e53dfb49ad7381eb067b338fd7b0cb22247225d47
            """
        #expect(try code(of: [], key: []) == bytes(hexadecimal: expected))
    }

    private func code(of message: [UInt8], key: [UInt8]) throws -> [UInt8] {
        let key = try SecretBytes(key)
        return try HMACSHA512.code(of: message.span, key: key)
    }
}
