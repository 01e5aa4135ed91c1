import VaultCrypto

/// A passphrase that several steps of a command need.
final class HeldPassphrase: Sendable {
    private let passphrase: Passphrase

    init(_ passphrase: consuming Passphrase) { self.passphrase = passphrase }

    /// Returns a copy for one step.
    func copy() throws -> Passphrase { try Passphrase(copying: passphrase) }
}
