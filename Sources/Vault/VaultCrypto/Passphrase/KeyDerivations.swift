import Synchronization
import SystemIO

/// The keys that PBKDF2 has derived from one passphrase.
///
/// Copies of a passphrase share them, so that PBKDF2 runs only once for each salt, even if several steps of an operation
/// open the same container. They are wiped with the last copy of the passphrase.
package final class KeyDerivations: Sendable {
    /// What besides the passphrase determines a key.
    private struct Input: Hashable {
        let salt: [UInt8]
        let iterations: Int
    }

    private let known = Mutex<[Input: DerivedKey]>([:])
    /// The maximum number of keys to hold, each of which occupies locked memory.
    private static let most = 256

    /// The maximum number of iterations of a slot: a fuzzer does not wait for more.
    package let mostIterations: Int

    /// Creates an empty collection.
    package init(mostIterations: Int = .max) { self.mostIterations = mostIterations }

    /// The number of keys that are held.
    package var count: Int { known.withLock { $0.count } }

    /// Returns a key, deriving it if necessary.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase, always the same one.
    ///   - salt: The salt, at least 16 bytes.
    ///   - iterations: The number of iterations.
    package func key(
        _ passphrase: borrowing Passphrase, salt: [UInt8], iterations: Int
    ) throws(CryptoError) -> DerivedKey {
        let input = Input(salt: salt, iterations: iterations)
        if let key = known.withLock({ $0[input] }) { return key }
        let start = SystemClock.uptime()
        let key = try DerivedKey(passphrase: passphrase, salt: salt, iterations: iterations)
        DebugLog.log(
            "derived a key in \(Int((SystemClock.uptime() - start) * 1000)) ms, \(iterations) iterations")
        known.withLock { known in
            if known.count >= Self.most { known.removeAll() }
            known[input] = key
        }
        return key
    }
}

/// The key that wraps a container's key, and a commitment to it.
package final class DerivedKey: Sendable {
    package let key: SecretBytes
    package let commitment: [UInt8]

    package init(passphrase: borrowing Passphrase, salt: [UInt8], iterations: Int) throws(CryptoError) {
        let derived = try PBKDF2.derive(
            passphrase: passphrase.bytes, salt: salt.span, iterations: iterations, count: 64)
        key = try derived.part(0..<32)
        commitment = derived.withSpan { bytes in (32..<64).map { bytes[$0] } }
    }
}
