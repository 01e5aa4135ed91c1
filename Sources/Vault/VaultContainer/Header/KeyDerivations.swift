import Synchronization
import VaultCrypto

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
