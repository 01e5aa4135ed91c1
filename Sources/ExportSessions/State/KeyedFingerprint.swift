import ByteSpans
public import HealthArchive
public import HealthModel
import JSONText
import VaultCrypto

/// A fingerprint as stored in a state folder: each fact encoded under the fingerprint's own random key.
///
/// A checksum of a short document would tell anyone with the folder whether the document is the one that they suspect,
/// or which of several. A code under the key that is stored beside it still does, but lists of checksums made
/// beforehand are useless, and two records of one document have nothing in common.
public struct KeyedFingerprint: Sendable, Equatable {
    /// The key; empty if there are no facts.
    let key: [UInt8]
    /// The codes of the facts, by their names.
    let codes: [String: String]

    /// Makes an empty fingerprint.
    public init() {
        key = []
        codes = [:]
    }

    init(key: [UInt8], codes: [String: String]) {
        self.key = key
        self.codes = codes
    }

    /// Encodes facts under a new key.
    ///
    /// - Throws: `VaultError.internalFailure` if OpenSSL has no random numbers.
    public init(_ fingerprint: StoreFingerprint) throws(VaultError) {
        do {
            let key = try Random.bytes(32)
            self.init(key: key, codes: try Self.codes(fingerprint, key))
        } catch { throw VaultError(.internalFailure) }
    }

    /// Compares it with what is known of a source now.
    ///
    /// - Throws: `VaultError.internalFailure` if the crypto module fails.
    public func compare(_ fingerprint: StoreFingerprint) throws(VaultError) -> StoreFingerprint.Comparison {
        do {
            return StoreFingerprint(codes).compare(StoreFingerprint(try Self.codes(fingerprint, key)))
        } catch { throw VaultError(.internalFailure) }
    }

    /// Writes it as a member of an object.
    func write(_ writer: inout JSONWriter) {
        writer.key(Self.member)
        writer.object { writer in
            writer.member(Self.keyMember, Hexadecimal.text(key))
            for (name, code) in codes.sorted(by: { $0.key < $1.key }) { writer.member(name, code) }
        }
    }

    /// The name of the member.
    static let member = "fingerprint"
    private static let keyMember = "key"

    /// Reads the value of the member; nil if it has no valid key.
    init?(_ texts: [String: String]) {
        guard let text = texts[Self.keyMember], let key = Hexadecimal.bytes(text) else { return nil }
        self.init(key: key, codes: texts.filter { $0.key != Self.keyMember })
    }

    /// Returns the first half of HMAC-SHA-512 over name and fact, for each fact.
    private static func codes(
        _ fingerprint: StoreFingerprint, _ key: [UInt8]
    ) throws(CryptoError) -> [String: String] {
        let secret = try SecretBytes(copying: key.span)
        var codes: [String: String] = [:]
        for (name, fact) in fingerprint.facts {
            let text = Array("\(name)=\(fact)".utf8)
            let code = try HMACSHA512.code(of: text.span, key: secret)
            codes[name] = Hexadecimal.text(Array(code.prefix(32)))
        }
        return codes
    }
}
