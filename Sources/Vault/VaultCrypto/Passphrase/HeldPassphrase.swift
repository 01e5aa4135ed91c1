/// A passphrase that several steps of an operation need.
public final class HeldPassphrase: Sendable {
    /// The passphrase itself, for a step that only borrows it.
    package let passphrase: Passphrase

    /// Keeps a passphrase.
    public init(_ passphrase: consuming Passphrase) { self.passphrase = passphrase }

    /// Returns a copy for one step.
    ///
    /// - Throws: `CryptoError` if no memory can be locked for it.
    public func copy() throws -> Passphrase { try Passphrase(copying: passphrase) }
}
