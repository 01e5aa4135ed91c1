import ArchiveManifest
import ArchiveReading
import CivilTime
import Glibc
import HealthModel
import HealthStores
import SampleBatches
import Synchronization
import SystemIO
import VaultContainer

/// An archive that a caller has opened.
final class OpenedArchive: Sendable {
    let chain: ContainerChain
    /// Its batches.
    let export: StoredExport
    /// The process that opened it.
    private let process = getpid()

    init(_ chain: ContainerChain) throws {
        self.chain = chain
        export = try StoredExport(chain)
    }

    /// Whether this process is a child of the one that opened it, in which no other thread of that one runs.
    var isInherited: Bool { getpid() != process }

    var path: BytePath { export.path }

    private let openStore = Mutex<ArchiveStore?>(nil)

    /// The archive as a store, for what is computed of samples.
    ///
    /// - Throws: `VaultError`.
    func store() throws -> ArchiveStore {
        try openStore.withLock { store in
            if let store { return store }
            let opened = try ArchiveStore(export)
            store = opened
            return opened
        }
    }

    /// Returns what the archive contains.
    func contents() throws -> StoreContents {
        let store = try store()
        return try CallerExecutor.run { try await store.contents() }
    }

    /// The batches of samples, by the identifier of their type.
    var groups: [StoredExport.Group] {
        export.groups.filter { Manifest.isSample($0.element) }.sorted { $0.identifier < $1.identifier }
    }

    /// The entries of batches in the index, with what it says about them.
    var batchEntries: [SampleBatch.Key: ContainerEntry] {
        var entries: [SampleBatch.Key: ContainerEntry] = [:]
        for entry in chain.entries where !StoredEntry.isGone(entry: entry.name) {
            guard StoredEntry(entry.name).batch != nil, let element = entry.text("element"),
                let span = entry.text("span"), let part = entry.number("part")
            else { continue }
            entries[
                SampleBatch.Key(element: element, type: entry.text("type") ?? "", span: span, part: part)] =
                entry
        }
        return entries
    }

    /// Returns the identifiers that names of types stand for.
    ///
    /// - Throws: `VaultError` for a name that neither this program nor the archive knows.
    func types(_ names: [SampleTypeName]) throws -> [AnySampleType] {
        let held = Set(groups.map(\.identifier))
        var found: [AnySampleType] = []
        for name in names {
            guard let identifiers = name.identifiers(among: held) else {
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
