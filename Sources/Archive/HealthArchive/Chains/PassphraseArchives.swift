public import SystemIO
import VaultContainer
public import VaultCrypto

/// The archives whose passphrases are changed together: those of a chain, or all in a folder.
public struct PassphraseArchives: Sendable {
    /// The archives in the order in which to change them.
    ///
    /// Those that others continue come first: the newest one finds all of them with the old passphrase, so that an
    /// interrupted change can be repeated.
    public private(set) var paths: [BytePath]
    /// Why the archives that the given one continues are unknown; nil if they are known.
    public private(set) var failure: ArchiveFailure?
    /// The other archives in the folder.
    private var others: [BytePath] = []

    /// Finds all archives in a folder.
    ///
    /// - Throws: `VaultError` if the folder contains none.
    public init(in folder: BytePath) throws(VaultError) {
        do { paths = try FolderArchives.candidates(in: folder).reversed() } catch {
            throw VaultError.wrapping(error, path: folder)
        }
        guard !paths.isEmpty else { throw VaultError(.notAnArchive, path: folder) }
    }

    /// Finds the archives of a chain, in the folder of one of them.
    ///
    /// - Parameters:
    ///   - path: Any archive of the chain.
    ///   - passphrase: The passphrase to change, which tells which archives belong to the chain.
    public init(chainOf path: BytePath, passphrase: HeldPassphrase) {
        paths = [path]
        findChain(of: path, .passphrase(passphrase))
        let names = Set(paths.map { (VolumeName.whole(ofFirst: $0) ?? $0).name })
        let beside = (try? FolderArchives.candidates(in: path.parent)) ?? []
        others = beside.map { path.sibling($0.name) }.filter { !names.contains($0.name) }
    }

    private mutating func findChain(of path: BytePath, _ key: ArchiveKey) {
        let own = CleartextHeader.identifiers(of: path)
        let archives = try? FolderArchives(in: path.parent, key: key)
        if let found = archives?.newest.first(where: { !own.isDisjoint(with: $0.identifiers) }) {
            paths = zip(found.identifiers, found.paths).map { identifier, other in
                own.contains(identifier) ? path : path.sibling(other.name)
            }.reversed()
        } else {
            do {
                let links = try ContainerChain(opening: path, key: key).links
                paths = links.dropFirst().map(\.path).reversed() + [path]
            } catch let error as VaultError {
                failure = ArchiveFailure(path, error)
            } catch {
                // It cannot be opened itself, which is noticed when it is changed.
            }
        }
    }

    /// Returns those of the other archives in the folder of a chain that a passphrase opens.
    public func opened(by passphrase: borrowing Passphrase) -> [BytePath] {
        var opened: [BytePath] = []
        for path in others where (try? ContainerReader(opening: path, passphrase: passphrase)) != nil {
            opened.append(path)
        }
        return opened
    }
}
