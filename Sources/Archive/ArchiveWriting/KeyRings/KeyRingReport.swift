public import HealthArchive

/// What became of the archives whose keys were to go into a ring.
public struct KeyRingReport: Sendable, Equatable {
    /// The number of keys in the ring, also those of archives that others continue.
    public let count: Int
    /// The number of archives that were opened with a passphrase: each costs a key derivation.
    public let derivationCount: Int
    /// The archives that could not be opened, so that their keys are not in the ring.
    public let failures: [ArchiveFailure]
    /// Whether a key was made, because its file was not there.
    public let isKeyNew: Bool
}
