public import SystemIO
public import VaultCrypto

/// The part of a container that an interrupted run left and the next run can keep.
public struct UnfinishedContents: Sendable, Equatable {
    /// The names of the complete members, in order.
    public let members: [BytePath]
    /// Bytes of the payload that they occupy.
    public let size: Int

    /// Authenticates what is left, without changing anything.
    ///
    /// - Throws: `incomplete` if none of it can be used; `wrongPassphrase`; `segmentDamaged` if it is damaged and not
    ///   only unfinished; `io` with `isLocked` if another process is writing it.
    public init(of path: BytePath, passphrase: borrowing Passphrase) throws(ContainerError) {
        let derivations = KeyDerivations()
        // The run may have crashed just before the final rename.
        if let whole = try? ContainerReader(
            opening: path, passphrase: passphrase, derivations: derivations)
        {
            members = whole.entries.map(\.name)
            size = whole.footer.payloadLength
            return
        }
        let found = try UnfinishedContainer(
            try lockedFile(path, forUpdate: false), passphrase: passphrase, derivations: derivations)
        members = found.members.map(\.name)
        size = found.salts.count * found.key.geometry.plaintext + found.tail.count
    }
}
