public import SystemIO
public import VaultCrypto

/// What a passphrase shows of a container's key slots.
public struct SlotListing: Sendable, Equatable {
    /// The number of the slot that the passphrase opens; nil if none of an intact header does.
    public let opened: Int?
    /// The labels of the slots in use, by their numbers.
    public let labels: [Int: SlotLabel]

    /// Reads the newest intact header of a container.
    ///
    /// - Throws: `ContainerError`, `wrongPassphrase` if the passphrase opens no slot.
    public init(of path: BytePath, openedBy passphrase: borrowing Passphrase) throws(ContainerError) {
        let derivations = passphrase.derivations
        let reader = try ContainerReader(opening: path, passphrase: passphrase, derivations: derivations)
        let copies = try reader.copies.authentic(under: reader.key).sorted { $0.generation > $1.generation }
        var opened: Int?
        for copy in copies where opened == nil {
            opened = try copy.slots(openedBy: passphrase, derivations).min()
        }
        self.opened = opened
        labels =
            try copies.first.map { copy throws(ContainerError) in try reader.key.labels(in: copy) } ?? [:]
    }
}
