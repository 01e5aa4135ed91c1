// Replaces the derivation in all tests of the package by one that keeps its results.
import CDerivations
import Testing
import VaultCrypto

@Suite("PBKDF2 with HMAC-SHA-512 (RFC 8018, section 5.2)")
struct PBKDF2Tests {
    @Test("gives what RFC 6070's inputs give", arguments: try VectorFile.records("pbkdf2-hmac-sha512"))
    func derived(record: VectorFile.Record) throws {
        let key = try record["key"]
        let iterations = try record.integer("iterations")
        let found = try derive(try record["password"], try record["salt"], iterations, key.count)
        #expect(found == key)
    }

    @Test("agrees with Wycheproof", WycheproofFile.areThere)
    func wycheproof() throws {
        for vector in try WycheproofFile.vectors("pbkdf2_hmacsha512_test.json") {
            let password = try vector.bytes("password")
            let count = try vector.number("dkLen")
            let found = try derive(
                password, try vector.bytes("salt"), try vector.number("iterationCount"), count)
            #expect(try (found == vector.bytes("dk")) == vector.isValid, "vector \(vector.id)")
        }
    }

    @Test(
        "takes no iterations and no length out of range",
        arguments: [(0, 64), (-1, 64), (1 << 31, 64), (1, 0), (1, -1), (1, 1025)])
    func forbidden(iterations: Int, count: Int) {
        #expect(throws: CryptoError(.invalidSize)) { try derive([1], [2], iterations, count) }
    }

    // SECURITY.md: "try passphrases indefinitely, at the cost of one key derivation each"
    @Test(
        "gives the first half of 64 bytes for 32, at the same cost: half a key is no cheaper to guess"
    )
    func oneBlock() throws {
        let whole = try derive([1], [UInt8](repeating: 2, count: 32), 100, 64)
        #expect(try derive([1], [UInt8](repeating: 2, count: 32), 100, 32) == Array(whole[..<32]))
    }

    private func derive(_ password: [UInt8], _ salt: [UInt8], _ iterations: Int, _ count: Int) throws
        -> [UInt8]
    {
        let secret = try SecretBytes(password)
        return try PBKDF2.derive(passphrase: secret, salt: salt.span, iterations: iterations, count: count)
            .copy
    }
}
