import ByteText
import Glibc
import HealthArchive
import HealthModel
import SampleBatches
import Synchronization
import SystemIO

/// An archive that a caller has opened.
final class OpenedArchive: Sendable {
    let chain: ContainerChain
    /// Its batches.
    let index: ArchiveIndex
    /// What decodes batches, as many as are decoded at once.
    let decoders = Pool(BatchDecoder.init)
    /// The process that opened it.
    private let process = getpid()

    init(_ chain: ContainerChain) {
        self.chain = chain
        index = ArchiveIndex(chain)
    }

    /// Whether this process is a child of the one that opened it, in which no other thread of that one runs.
    var isInherited: Bool { getpid() != process }

    var path: BytePath { chain.links[0].path }

    private let openStore = Mutex<ArchiveStore?>(nil)

    /// The archive as a store, for what is computed of samples; its manifest is read when this is first called.
    ///
    /// - Throws: `VaultError`.
    func store() throws -> ArchiveStore {
        try openStore.withLock { store in
            if let store { return store }
            do {
                let opened = try ArchiveStore(StoredExport(chain))
                store = opened
                return opened
            } catch { throw VaultError.wrapping(error, path: path) }
        }
    }

    /// Returns what the archive contains.
    ///
    /// - Throws: `VaultError`.
    func contents() throws -> StoreContents {
        let store = try store()
        return try CallerExecutor.run { try await store.contents() }
    }

    /// Returns the identifiers that names of types stand for.
    ///
    /// - Throws: `VaultError` for a name that neither this program nor the archive knows.
    func types(_ names: [SampleTypeName]) throws -> [AnySampleType] {
        var found: [AnySampleType] = []
        for name in names {
            guard let identifiers = name.identifiers(among: index.identifiers) else {
                if case .other(let text) = name { throw VaultError(.unknownType(text)) }
                continue
            }
            for type in identifiers.map({ AnySampleType($0) }) where !found.contains(type) {
                found.append(type)
            }
        }
        return found
    }
}
