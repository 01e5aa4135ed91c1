import SystemIO
import Testing
import VaultCrypto

@testable import VaultContainer

@Suite("The key of a container that another one continues")
struct PredecessorKeyTests {
    private let index = [UInt8](0..<32)

    @Test("comes out of the one that continues it, and is the same each time it is put in")
    func roundTrip() throws {
        let (follower, predecessor) = (try ContainerKey.new(), try ContainerKey.new())
        let wrapped = try follower.wrap(predecessor, index: index)
        #expect(wrapped.count == 48)
        #expect(try follower.wrap(predecessor, index: index) == wrapped)
        let vault = [UInt8](predecessor.preamble[32...])
        let fileKey = try follower.unwrap(wrapped, container: vault, index: index)
        let isSame = fileKey.equals(predecessor.fileKey)
        #expect(isSame)
    }

    @Test("is computed as the format says")
    func specification() throws {
        let (follower, predecessor) = (try ContainerKey.new(), try ContainerKey.new())
        let vault = [UInt8](predecessor.preamble[32...])
        let keys = try expand(
            follower.fileKey.copy, Array("healthvault/v1 predecessor".utf8) + vault + index, 44)
        var cipher = try AES256GCM(key: SecretBytes(Array(keys[..<32])))
        let nonce = Array(keys[32...])
        let fileKey = predecessor.fileKey.copy
        let sealed = try [UInt8](capacity: 48) { output throws(CryptoError) in
            try cipher.seal(fileKey.span, nonce: nonce.span, authenticating: Span(), into: &output)
        }
        #expect(try follower.wrap(predecessor, index: index) == sealed)
    }

    @Test("comes out for nobody else, for no other container, and with no bit changed")
    func refusals() throws {
        let (follower, predecessor) = (try ContainerKey.new(), try ContainerKey.new())
        let wrapped = try follower.wrap(predecessor, index: index)
        let vault = [UInt8](predecessor.preamble[32...])
        func isRefused(_ key: ContainerKey, _ wrapped: [UInt8], _ vault: [UInt8], _ index: [UInt8]) -> Bool {
            do throws(ContainerError) {
                _ = try key.unwrap(wrapped, container: vault, index: index)
                return false
            } catch { return error.code == .slotDamaged }
        }
        #expect(isRefused(predecessor, wrapped, vault, index))
        for bit in 0..<(48 * 8) {
            var other = wrapped
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(isRefused(follower, other, vault, index))
        }
        for place in 0..<32 {
            var (other, digest) = (vault, index)
            other[place] ^= 1
            digest[place] ^= 1
            #expect(isRefused(follower, wrapped, other, index) && isRefused(follower, wrapped, vault, digest))
        }
        for count in [0, 16, 47] { #expect(isRefused(follower, Array(wrapped[..<count]), vault, index)) }
        #expect(isRefused(follower, wrapped + [0], vault, index))
    }

    @Test("opens that container without a passphrase, and no other")
    func opening() throws {
        let folder = try TemporaryFolder()
        let (writing, other) = (try Writing.shared(1), try Writing(segmentChunks: 1))
        try writing.write([("a", noise(50_000))], to: folder("a"))
        let reader = try ContainerReader(opening: folder("a"), fileKey: writing.key.fileKey)
        #expect(try reader.data(of: reader.entries[0]) == noise(50_000))
        do throws(ContainerError) {
            _ = try ContainerReader(opening: folder("a"), fileKey: other.key.fileKey)
            Issue.record("opened")
        } catch { #expect(error.code == .headerTampered) }
    }
}
