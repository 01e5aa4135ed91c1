public import SystemIO
public import VaultCrypto

/// The part of a container that an interrupted run left and the next run can keep.
public struct UnfinishedContents: Sendable, Equatable {
    /// A member that is whole.
    public struct Member: Sendable, Equatable {
        /// Its name.
        public let name: BytePath
        /// Its length in bytes.
        public let length: Int
    }

    /// The members that are whole, in their order.
    public let members: [Member]
    /// Bytes of the payload that they occupy.
    public let size: Int

    /// Authenticates what is left, without changing anything.
    ///
    /// - Throws: `incomplete` if nothing of it can be used; `wrongPassphrase`; `segmentDamaged` if it is damaged
    ///   and not only unfinished; `io` with `isLocked` if another process is writing it.
    public init(of path: BytePath, passphrase: borrowing Passphrase) throws(ContainerError) {
        let derivations = KeyDerivations()
        // A crash may have happened when only the final name was missing.
        if let whole = try? ContainerReader(
            opening: path, passphrase: passphrase, derivations: derivations)
        {
            members = whole.entries.map { Member(name: $0.name, length: $0.length) }
            size = whole.footer.payloadLength
            return
        }
        let found = try UnfinishedContainer(
            try lockedFile(path, forUpdate: false), passphrase: passphrase, derivations: derivations)
        members = found.members.map { Member(name: $0.name, length: $0.length) }
        size = found.salts.count * found.key.geometry.plaintext + found.tail.count
    }
}
