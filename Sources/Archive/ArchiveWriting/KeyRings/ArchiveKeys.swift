import ByteText
import HealthArchive
import Synchronization
import SystemIO
import VaultContainer
import VaultCrypto

/// The keys of archives, gathered from several threads.
final class ArchiveKeys: Sendable {
    private let draft: Mutex<KeyRingDraft>
    private let derivations = Mutex(0)
    private let former: KeyRing?
    private let formerIdentifiers: Set<String>
    private let passphrase: @Sendable (BytePath) throws -> Passphrase?

    /// Creates an empty collection.
    ///
    /// - Parameters:
    ///   - key: The key of the ring.
    ///   - former: The ring that is replaced, whose keys are not derived again.
    ///   - passphrase: Returns the passphrase of an archive; nil if there is none for it.
    init(
        key: RingKey, former: KeyRing?, passphrase: @escaping @Sendable (BytePath) throws -> Passphrase?
    ) throws(ContainerError) {
        draft = Mutex(try KeyRingDraft(key: key))
        self.former = former
        formerIdentifiers = Set(former?.identifiers ?? [])
        self.passphrase = passphrase
    }

    var count: Int { draft.withLock { $0.count } }
    var derivationCount: Int { derivations.withLock { $0 } }

    /// Returns the bytes of the ring.
    func ring() throws(ContainerError) -> [UInt8] {
        let draft = draft.withLock { $0 }
        return try draft.bytes()
    }

    /// Adds the keys of an archive and of those that it continues, unless they are there already.
    ///
    /// - Returns: What prevented it.
    func add(_ path: BytePath) -> ArchiveFailure? {
        do {
            let claimed = CleartextHeader.identifiers(of: path)
            // One that another archive continues came with that one.
            if claimed.count == 1, let identifier = claimed.first, let fileKey = try fileKey(of: identifier) {
                // Headers that were put over another archive's prove nothing.
                _ = try ContainerReader(opening: path, fileKey: fileKey).size
                return nil
            }
            let chain = try open(path, claimed)
            for link in chain.links {
                try draft.withLock { draft in try draft.add(link.reader.key) }
            }
            return nil
        } catch {
            return ArchiveFailure(path, error)
        }
    }

    /// Returns the file key of an archive; nil if it was not added.
    private func fileKey(of identifier: String) throws -> SecretBytes? {
        guard let bytes = Hexadecimal.bytes(identifier) else { return nil }
        let draft = draft.withLock { $0 }
        return try draft.fileKey(of: bytes)
    }

    private func open(_ path: BytePath, _ claimed: Set<String>) throws -> ContainerChain {
        if let former, !claimed.isDisjoint(with: formerIdentifiers),
            let chain = try? ContainerChain(opening: path, key: .keyRing(former))
        {
            return chain
        }
        guard let passphrase = try passphrase(path) else { throw ContainerError(.passphraseMissing) }
        let chain = try ContainerChain(opening: path, key: .passphrase(passphrase))
        derivations.withLock { $0 += 1 }
        return chain
    }
}
