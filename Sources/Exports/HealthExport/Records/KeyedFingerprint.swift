import ByteText
public import HealthArchive
public import HealthModel
package import SystemIO
import VaultCrypto

/// A fingerprint as stored in a state folder: a code for each fact, computed with the fingerprint's own random key.
///
/// A checksum of a short document would let anyone with the folder check whether it is a document that they suspect, or
/// which of several it is. The codes still allow this because the key is stored beside them, but precomputed lists of
/// checksums are useless, and two records of the same document have nothing in common.
public struct KeyedFingerprint: Sendable, Equatable {
    /// The key; empty if there are no facts.
    let key: [UInt8]
    /// The codes of the facts, by fact name.
    let codes: [String: String]

    /// Creates an empty fingerprint.
    public init() {
        key = []
        codes = [:]
    }

    init(key: [UInt8], codes: [String: String]) {
        self.key = key
        self.codes = codes
    }

    /// Encodes facts with a new key.
    ///
    /// - Throws: `VaultError.internalFailure` if the crypto module fails, for instance to generate random numbers.
    public init(_ fingerprint: StoreFingerprint) throws(VaultError) {
        do {
            let key = try Random.bytes(32)
            self.init(key: key, codes: try Self.codes(fingerprint, key))
        } catch { throw VaultError(.internalFailure) }
    }

    /// Compares the fingerprint with the facts that are now known about a source.
    ///
    /// - Throws: `VaultError.internalFailure` if the crypto module fails.
    public func compare(_ fingerprint: StoreFingerprint) throws(VaultError) -> StoreFingerprint.Comparison {
        do {
            return StoreFingerprint(codes).compare(StoreFingerprint(try Self.codes(fingerprint, key)))
        } catch { throw VaultError(.internalFailure) }
    }

    /// Returns the code of another text, computed with the same key; nil if the crypto module fails.
    package func code(of text: String) -> String? {
        (try? Self.codes(StoreFingerprint([Self.textFact: text]), key))?[Self.textFact]
    }

    private static let textFact = "text"

    private static let keyName = "key"

    /// The key and the codes, by name.
    fileprivate var texts: [String: String] {
        codes.merging([Self.keyName: Hexadecimal.text(key)]) { code, _ in code }
    }

    /// Reads the key and the codes; returns nil if there is no valid key.
    init?(_ texts: [String: String]) {
        guard let text = texts[Self.keyName], let key = Hexadecimal.bytes(text) else { return nil }
        self.init(key: key, codes: texts.filter { $0.key != Self.keyName })
    }

    /// Returns, for each fact, the first half of the HMAC-SHA-512 of its name and value.
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

extension RecordValue<KeyedFingerprint> {
    /// An object with the key and the codes.
    package static let fingerprint = mapped(.texts, { KeyedFingerprint($0) }, { $0.texts })
}
