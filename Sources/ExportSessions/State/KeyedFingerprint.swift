import ByteSpans
public import HealthArchive
public import HealthModel
import JSONText
import VaultCrypto

/// A fingerprint as it rests in a state folder: each fact under a random key of its own.
///
/// A checksum of a short document would tell whoever has the folder that the document is the one that they think of, or
/// which of several. Under the key that is beside it, it still does, but no list of checksums made beforehand helps, and
/// two records of one document have nothing in common.
public struct KeyedFingerprint: Sendable, Equatable {
    /// The key; empty where there are no facts.
    let key: [UInt8]
    /// The codes of the facts, by their names.
    let codes: [String: String]

    /// A fingerprint of nothing.
    public init() {
        key = []
        codes = [:]
    }

    init(key: [UInt8], codes: [String: String]) {
        self.key = key
        self.codes = codes
    }

    /// Puts facts under a new key.
    ///
    /// - Throws: `VaultError.internalFailure` where OpenSSL has no random numbers.
    public init(_ fingerprint: StoreFingerprint) throws(VaultError) {
        do {
            let key = try Random.bytes(32)
            self.init(key: key, codes: try Self.codes(fingerprint, key))
        } catch { throw VaultError(.internalFailure) }
    }

    /// Holds it against what is known of a source now.
    ///
    /// - Throws: `VaultError.internalFailure` where the crypto module fails.
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

    /// What the member is called.
    static let member = "fingerprint"
    private static let keyMember = "key"

    /// Reads the value of the member; nil where its key is none.
    init?(_ texts: [String: String]) {
        guard let text = texts[Self.keyMember], let key = Hexadecimal.bytes(text) else { return nil }
        self.init(key: key, codes: texts.filter { $0.key != Self.keyMember })
    }

    /// The first half of HMAC-SHA-512 over name and fact.
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
