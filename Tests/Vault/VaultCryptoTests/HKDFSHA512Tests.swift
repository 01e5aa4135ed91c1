import Testing
import VaultCrypto

@Suite("HKDF-Expand with SHA-512 (RFC 5869, section 2.3)")
struct HKDFSHA512Tests {
    @Test("gives what the RFC's inputs give", arguments: try VectorFile.records("hkdf-sha512"))
    func derived(record: VectorFile.Record) throws {
        let extracted = try extract(salt: try record["salt"], input: try record["input"])
        #expect(try extracted == record["extracted"])
        let key = try record["key"]
        #expect(try expanded(extracted, info: try record["info"], count: key.count) == key)
    }

    @Test("agrees with Wycheproof", WycheproofFile.areThere)
    func wycheproof() throws {
        for vector in try WycheproofFile.vectors("hkdf_sha512_test.json") {
            let extracted = try extract(salt: try vector.bytes("salt"), input: try vector.bytes("ikm"))
            let count = try vector.number("size")
            if vector.isValid {
                let key = try expanded(extracted, info: try vector.bytes("info"), count: count)
                #expect(try key == vector.bytes("okm"), "vector \(vector.id)")
            } else {
                #expect(throws: CryptoError(.invalidSize), "vector \(vector.id)") {
                    try expanded(extracted, info: try vector.bytes("info"), count: count)
                }
            }
        }
    }

    @Test("takes no length that the RFC does not allow", arguments: [-1, 0, 255 * 64 + 1, .max])
    func forbiddenLengths(count: Int) {
        #expect(throws: CryptoError(.invalidSize)) {
            try expanded([UInt8](repeating: 7, count: 64), info: [], count: count)
        }
    }

    @Test(
        "gives prefixes of one stream for all lengths",
        arguments: [1, 63, 64, 65, 76, 127, 128, 129, 255 * 64])
    func prefixes(count: Int) throws {
        let key = [UInt8](repeating: 7, count: 32)
        let longest = try expanded(key, info: [1, 2, 3], count: HKDFSHA512.longestOutput)
        #expect(try expanded(key, info: [1, 2, 3], count: count) == Array(longest[..<count]))
    }

    /// HKDF-Extract (RFC 5869, section 2.2), which the product does not need.
    private func extract(salt: [UInt8], input: [UInt8]) throws -> [UInt8] {
        let key = try SecretBytes(salt)
        return try HMACSHA512.code(of: input.span, key: key)
    }

    private func expanded(_ key: [UInt8], info: [UInt8], count: Int) throws -> [UInt8] {
        let secret = try SecretBytes(key)
        return try HKDFSHA512.expand(key: secret, info: info.span, count: count).copy
    }
}
