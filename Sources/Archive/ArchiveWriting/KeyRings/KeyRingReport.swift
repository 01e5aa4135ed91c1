public import ArchiveManifest
public import SystemIO

/// What became of the archives whose keys were to go into a ring.
public struct KeyRingReport: Sendable, Equatable {
    /// An archive that could not be opened, so that its key is not in the ring.
    public struct Failure: Sendable, Equatable {
        /// Its path.
        public let path: BytePath
        /// Why not.
        public let error: VaultError
    }

    /// The number of keys in the ring, also those of archives that others continue.
    public let count: Int
    /// The number of archives that were opened with a passphrase: each costs a key derivation.
    public let derivationCount: Int
    /// The archives that could not be opened.
    public let failures: [Failure]
    /// Whether a key was made, because its file was not there.
    public let isKeyNew: Bool
}
