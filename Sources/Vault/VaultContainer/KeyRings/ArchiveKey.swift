public import VaultCrypto

/// What opens a container: a passphrase, or a key ring that has its key.
///
/// Everything that only reads takes one. What writes a key slot needs the passphrase itself.
///
/// ```swift
/// let store = try ArchiveStore(container: "health.hvault", key: .passphrase(passphrase))
/// ```
public enum ArchiveKey: Sendable {
    /// A passphrase, from which a key is derived once for all that is opened with it.
    case passphrase(HeldPassphrase)
    /// A key ring, which opens a container without a key derivation.
    case keyRing(KeyRing)

    /// A passphrase that nothing else needs.
    public static func passphrase(_ passphrase: consuming Passphrase) -> ArchiveKey {
        .passphrase(HeldPassphrase(passphrase))
    }
}

extension HeaderCopies {
    /// Returns the keys that open the container, each with an authentic copy of the header.
    ///
    /// - Throws: `wrongPassphrase`, `notInKeyRing`, `slotDamaged` or `headerTampered` if no copy is authentic.
    func unlock(_ key: ArchiveKey) throws(ContainerError) -> [(key: ContainerKey, header: Header)] {
        switch key {
        case .passphrase(let held): try unlock(held.passphrase, held.passphrase.derivations)
        case .keyRing(let ring):
            try unlock { identifier throws(ContainerError) in try ring.fileKey(of: identifier) }
        }
    }
}
