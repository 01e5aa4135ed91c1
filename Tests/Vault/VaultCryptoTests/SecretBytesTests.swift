import Testing
import VaultCrypto

extension SecretBytes {
    init(_ bytes: [UInt8]) throws(CryptoError) { try self.init(copying: bytes.span) }

    /// The bytes, for comparing; only tests may do this.
    var copy: [UInt8] { withSpan { span in span.indices.map { span[$0] } } }
}

@Suite("Secrets")
struct SecretBytesTests {
    @Test("keep what they were made from", arguments: [0, 1, 32, 4095, 4096, 4097])
    func content(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let secret = try SecretBytes(bytes)
        #expect(secret.count == count)
        #expect(secret.copy == bytes)
        #expect(try SecretBytes(zeroes: count).copy == [UInt8](repeating: 0, count: count))
    }

    @Test("compare by content and length")
    func comparison() throws {
        let secret = try SecretBytes([1, 2, 3])
        #expect(try secret.equals(SecretBytes([1, 2, 3])))
        #expect(try !secret.equals(SecretBytes([1, 2, 4])))
        #expect(try !secret.equals(SecretBytes([1, 2])))
        #expect(try !secret.equals(SecretBytes([1, 2, 3, 0])))
        #expect(try SecretBytes(zeroes: 0).equals(SecretBytes(zeroes: 0)))
    }

    @Test("have parts that are secrets of their own")
    func parts() throws {
        var secret = try SecretBytes([1, 2, 3, 4])
        let part = try secret.part(1..<3)
        secret.withMutableSpan { span in span[1] = 9 }
        #expect(part.copy == [2, 3])
        #expect(secret.copy == [1, 9, 3, 4])
        #expect(try secret.part(4..<4).count == 0)
    }

    @Test("differ when they are random")
    func randomness() throws {
        var seen: Set<[UInt8]> = []
        for _ in 0..<200 {
            seen.insert(try SecretBytes.random(count: 16).copy)
            seen.insert(try Random.bytes(16))
        }
        #expect(seen.count == 400)
        #expect(try Random.bytes(0).isEmpty)
    }
}

@Suite("Comparison in constant time")
struct ConstantTimeTests {
    @Test("finds a difference in any byte", arguments: [1, 2, 31, 32, 64])
    func differences(count: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        #expect(isEqual(bytes, bytes))
        for index in bytes.indices {
            for mask in [UInt8(1), 0x80, 0xff] {
                var other = bytes
                other[index] ^= mask
                #expect(!isEqual(bytes, other))
            }
        }
        #expect(!isEqual(bytes, bytes.dropLast()))
        #expect(isEqual([], []))
    }

    private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        constantTimeEqual(left.span, right.span)
    }
}
