package import CommandLineKit
import HealthVault
package import SystemIO
package import VaultContainer

/// The options for a key ring, which opens archives in place of a passphrase.
package struct KeyRingOptions: Sendable {
    package var ring: BytePath?
    package var keyFile: BytePath?

    package init() {}

    package static let elements: [GrammarElement<KeyRingOptions>] = [
        .option(\.ring, "keyring", value: "FILE", "use a key ring in place of a passphrase", as: .file),
        .option(\.keyFile, "key-file", value: "FILE", "the key of the key ring", as: .file),
    ]

    package func validate(beside passphrase: PassphraseOptions) throws(UsageError) {
        guard (ring == nil) == (keyFile == nil) else {
            throw UsageError(
                .invalidCombination, "--keyring and --key-file are needed together",
                hint: "'healthvault keyring make' makes both files")
        }
        if ring != nil, passphrase.isGiven {
            throw UsageError(.invalidCombination, "a key ring takes the place of a passphrase")
        }
    }

    /// Opens the ring; nil if none was given.
    package func open() throws -> KeyRing? {
        guard let ring, let keyFile else { return nil }
        return try KeyRing.open(ring, keyFile: keyFile)
    }
}
