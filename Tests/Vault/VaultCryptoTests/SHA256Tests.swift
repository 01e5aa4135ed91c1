import Testing
import VaultCrypto

@Suite("SHA-256 (FIPS 180-4)")
struct SHA256Tests {
    @Test("gives the published digests", arguments: try VectorFile.records("sha256"))
    func published(record: VectorFile.Record) throws {
        let message = try record["message"]
        let digest = try SHA256.digest(of: message.span)
        #expect(try digest == record["digest"])
    }

    @Test("gives the published digest of a million times the letter a")
    func millionLetters() throws {
        var hash = try SHA256()
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        for _ in 0..<1000 { hash.update(letters.span) }
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        let found = hash.finish()
        #expect(found == bytes(hexadecimal: digest))
    }

    @Test(
        "does not depend on the pieces in which the bytes come", arguments: [1, 55, 56, 63, 64, 65, 128, 200])
    func pieces(size: Int) throws {
        let message = (0..<200).map { UInt8($0) }
        var hash = try SHA256()
        for start in stride(from: 0, to: message.count, by: size) {
            hash.update(message.span.extracting(start..<min(start + size, message.count)))
            hash.update(Span())
        }
        let digest = hash.finish()
        let whole = try SHA256.digest(of: message.span)
        #expect(digest == whole)
    }
}
