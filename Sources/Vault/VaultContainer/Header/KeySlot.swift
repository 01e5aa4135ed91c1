import Synchronization
import VaultCrypto

/// A key slot: the file's key, wrapped under a key derived from a passphrase.
struct KeySlot: Sendable, Equatable {
    let iterations: Int
    let salt: [UInt8]
    let commitment: [UInt8]
    let nonce: [UInt8]
    let sealedKey: [UInt8]

    /// The part of a slot's 128 bytes that the sealed key authenticates.
    private var authenticated: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendInteger(UInt64(iterations), bytes: 4)
        return bytes + salt + commitment
    }

    var bytes: [UInt8] { authenticated + nonce + sealedKey }

    /// Reads a slot; nil for an empty one.
    ///
    /// - Throws: `malformedHeader` for an empty slot with bytes in it, `kdfRefused` for iterations out of range.
    init?(_ bytes: [UInt8]) throws(ContainerError) {
        iterations = Int(bytes.integer(at: 0, bytes: 4))
        if iterations == 0 {
            guard bytes.allSatisfy({ $0 == 0 }) else { throw ContainerError(.malformedHeader) }
            return nil
        }
        guard ContainerFormat.readableIterations.contains(iterations) else {
            throw ContainerError(.kdfRefused)
        }
        salt = [UInt8](bytes[4..<36])
        commitment = [UInt8](bytes[36..<68])
        nonce = [UInt8](bytes[68..<80])
        sealedKey = [UInt8](bytes[80..<128])
    }

    /// Wraps `fileKey` under a passphrase, with a fresh salt and nonce.
    init(
        wrapping fileKey: borrowing SecretBytes, preamble: [UInt8], passphrase: borrowing Passphrase,
        iterations: Int
    ) throws(CryptoError) {
        self.iterations = iterations
        salt = try Random.bytes(32)
        nonce = try Random.bytes(AES256GCM.nonceLength)
        let derived = try DerivedKey(passphrase: passphrase, salt: salt, iterations: iterations)
        commitment = derived.commitment
        var count: [UInt8] = []
        count.appendInteger(UInt64(iterations), bytes: 4)
        let data = preamble + count + salt + commitment
        let nonce = nonce
        sealedKey = try fileKey.withSpan { key throws(CryptoError) in
            try [UInt8](capacity: 48) { (output: inout OutputSpan<UInt8>) throws(CryptoError) in
                var cipher = try AES256GCM(key: derived.key)
                try cipher.seal(key, nonce: nonce.span, authenticating: data.span, into: &output)
            }
        }
    }

    /// Returns the file's key; nil if the derived key is not this slot's.
    ///
    /// - Throws: `slotDamaged` if the passphrase is right but the sealed key does not authenticate.
    func open(with derived: DerivedKey, preamble: [UInt8]) throws(ContainerError) -> SecretBytes? {
        let derivedCommitment = derived.commitment
        guard constantTimeEqual(derivedCommitment.span, commitment.span) else { return nil }
        do {
            var key = try SecretBytes(zeroes: AES256GCM.keyLength)
            var cipher = try AES256GCM(key: derived.key)
            let data = preamble + authenticated
            try key.withMutableSpan { (target: inout MutableSpan<UInt8>) throws(CryptoError) in
                try cipher.open(
                    sealedKey.span, nonce: nonce.span, authenticating: data.span, filling: &target)
            }
            return key
        } catch {
            throw ContainerError(error.code == .authenticationFailed ? .slotDamaged : .cryptoFailed)
        }
    }
}

/// The keys that PBKDF2 has derived from one passphrase.
///
/// PBKDF2 runs only once for each salt, even if both headers have the same slots, or a test opens one container
/// thousands of times.
package final class KeyDerivations: Sendable {
    private let known = Mutex<[[UInt8]: DerivedKey]>([:])

    private let mostIterations: Int

    /// Creates an empty cache; slots with more than `mostIterations` are refused, so that a fuzzer does not wait for
    /// them.
    package init(mostIterations: Int = .max) { self.mostIterations = mostIterations }

    /// Number of keys derived.
    package var count: Int { known.withLock { $0.count } }

    /// Returns the key for a slot, deriving it if necessary.
    func key(for slot: KeySlot, _ passphrase: borrowing Passphrase) throws(ContainerError) -> DerivedKey {
        let input = slot.derivationInput
        if let key = known.withLock({ $0[input] }) { return key }
        guard slot.iterations <= mostIterations else { throw ContainerError(.kdfRefused) }
        let key = try crypto { () throws(CryptoError) in
            try DerivedKey(passphrase: passphrase, salt: slot.salt, iterations: slot.iterations)
        }
        known.withLock { $0[input] = key }
        return key
    }
}

/// The key that wraps the file's key, and a commitment to it.
final class DerivedKey: Sendable {
    let key: SecretBytes
    let commitment: [UInt8]

    init(passphrase: borrowing Passphrase, salt: [UInt8], iterations: Int) throws(CryptoError) {
        let derived = try PBKDF2.derive(
            passphrase: passphrase.bytes, salt: salt.span, iterations: iterations, count: 64)
        key = try derived.part(0..<32)
        commitment = derived.withSpan { bytes in (32..<64).map { bytes[$0] } }
    }
}

extension KeySlot {
    /// Everything besides the passphrase that determines the result of PBKDF2.
    var derivationInput: [UInt8] {
        var input = salt
        input.appendInteger(UInt64(iterations), bytes: 4)
        return input
    }
}
