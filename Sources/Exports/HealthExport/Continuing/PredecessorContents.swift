import AppleHealthExport
import ArchiveWriting
import HealthArchive
import SampleBatches
import SystemIO
import VaultContainer

/// The contents of a chain of containers, and what a further container has to contain.
struct PredecessorContents: Sendable {
    /// The manifest of the chain.
    let manifest: Manifest
    /// The paths of the files that are damaged in the chain and intact in the source.
    let mended: Set<BytePath>
    /// The entries of the chain other than side files, by their paths in a plain folder.
    private let entries: [BytePath: ContainerEntry]
    private let files: [BytePath: Manifest.File]
    private let failed: Set<SampleBatch.Key>
    /// The path of the source, for messages.
    private let source: BytePath

    /// Compares a chain with the source, and reads damaged files completely to find out which are intact now.
    init(_ chain: ContainerChain, _ source: ExportSource) throws {
        let manifest = try ManifestReader.read(try chain.manifest())
        self.manifest = manifest
        self.source = source.path
        failed = Set(manifest.failedBatches.map(\.key))
        files = Dictionary(manifest.files.map { ($0.path, $0) }) { first, _ in first }
        entries = Dictionary(
            chain.entries.compactMap { entry in
                let path = StoredEntry.plainPath(ofEntry: entry.name)
                return EntryPath.isFile(path) ? nil : (path, entry)
            }
        ) { first, _ in first }
        let paths = EntryPath.files(source.sideFiles.map(\.name))
        guard Set(paths) == Set(files.keys) else {
            throw VaultError(.sourceChanged, path: source.path)
        }
        mended = try Self.mended(files, zip(source.sideFiles, paths), of: source)
    }

    /// Returns the rule that put the chain's samples into batches.
    ///
    /// - Throws: `VaultError` if this program does not know the rule.
    static func batching(of chain: ContainerChain) throws -> BatchOptions {
        guard
            let batching = BatchOptions(
                parsing: try ManifestReader.read(try chain.manifest()).batching)
        else { throw VaultError(.unsupportedManifest, path: chain.links[0].path) }
        return batching
    }

    private static func mended(
        _ files: [BytePath: Manifest.File], _ found: some Sequence<(ExportSource.SideFile, BytePath)>,
        of source: ExportSource
    ) throws -> Set<BytePath> {
        var mended: Set<BytePath> = []
        for (file, path) in found where files[path]?.isDamaged == true {
            var reader = try SideFileReader(file, of: source)
            while try reader.next() != nil {}
            if !reader.isDamaged { mended.insert(path) }
        }
        return mended
    }

    /// Whether a further container would contain anything.
    var hasWork: Bool { !mended.isEmpty || !failed.isEmpty }

    /// The number of batches in the chain.
    var batchCount: Int {
        entries.values.count { StoredEntry($0.name).batch?.isGone == false }
    }

    private var changed: VaultError { VaultError(.sourceChanged, path: source) }

    /// Checks that the document is the one that the chain was made from.
    ///
    /// - Throws: `VaultError` if it is a different one.
    func requireSame(_ fingerprint: SourceFingerprint) throws(VaultError) {
        guard fingerprint.length == manifest.fingerprint.length,
            fingerprint.crc32 == manifest.fingerprint.crc32
        else { throw changed }
    }

    /// Returns the entry in the chain's manifest for a file that is not exported again.
    ///
    /// - Returns: nil for a file that is exported again.
    /// - Throws: `VaultError` if the file has changed in the source.
    func file(_ file: ExportSource.SideFile, _ path: BytePath) throws(VaultError) -> Manifest.File? {
        guard let known = files[path] else { throw changed }
        if mended.contains(path) { return nil }
        if known.isDamaged { return known }
        // In a zip, lengths may have wrapped at 4 GiB.
        guard UInt32(truncatingIfNeeded: known.length) == UInt32(truncatingIfNeeded: file.size),
            file.crc32 == nil || file.crc32 == known.crc32
        else { throw changed }
        return known
    }

    /// Returns whether the chain has an entry and, for a batch, the same rows.
    ///
    /// - Throws: `VaultError` if the batch has other rows, or is missing although it is not one that failed.
    func holds(_ entry: EncodedEntry) throws(VaultError) -> Bool {
        let known = entries[StoredEntry.plainPath(ofEntry: entry.name)]
        guard let batch = entry.batch else { return known != nil }
        guard let known else {
            guard failed.contains(batch.key) else { throw changed }
            return false
        }
        guard Self.isSame(known, batch) else { throw changed }
        return true
    }

    /// Compares counts and positions instead of bytes, as another version of the compression or other neighbouring
    /// entries produce different bytes for the same rows.
    private static func isSame(_ known: ContainerEntry, _ batch: BatchFacts) -> Bool {
        known.number("count") == batch.identity.count && known.number("firstPosition") == batch.firstPosition
            && known.number("lastPosition") == batch.lastPosition
    }

    /// Checks that all batches of the chain were found again in the source.
    ///
    /// - Throws: `VaultError` if some were not.
    func requireAll(_ count: Int) throws(VaultError) {
        guard count == batchCount else { throw changed }
    }
}
