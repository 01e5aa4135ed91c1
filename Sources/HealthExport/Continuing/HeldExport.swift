import AppleHealthExport
import HealthArchive
import SampleBatches
import SystemIO
import VaultContainer

/// What a chain of containers holds of an export, and what is to be done again into a further one.
struct HeldExport: Sendable {
    /// What the chain says of the export.
    let manifest: Manifest
    /// Paths of the files that the chain does not hold whole, and the source does.
    let mended: Set<BytePath>
    /// What the chain holds beside side files, by the paths in a plain folder.
    private let entries: [BytePath: ContainerEntry]
    private let files: [BytePath: Manifest.File]
    private let failed: Set<SampleBatch.Key>
    /// The source, for messages.
    private let source: BytePath

    /// Compares a chain with the source, and finds out which of the files can be had now: they are read through.
    init(_ chain: ContainerChain, _ source: ExportSource) throws {
        let manifest = try ManifestReader.read(try chain.manifest()).manifest
        self.manifest = manifest
        self.source = source.path
        failed = Set(manifest.failedBatches.map(\.key))
        files = Dictionary(manifest.files.map { ($0.path, $0) }) { first, _ in first }
        entries = Dictionary(
            chain.entries.compactMap { entry in
                let path = StoredEntry.plainPath(ofEntry: entry.name)
                return path.hasPrefix(EntryPath.files) ? nil : (path, entry)
            }
        ) { first, _ in first }
        let paths = EntryPath.files(source.sideFiles.map(\.name))
        guard Set(paths) == Set(files.keys) else {
            throw VaultError(.session(.sourceChanged), path: source.path)
        }
        mended = try Self.mended(files, zip(source.sideFiles, paths), of: source)
    }

    /// How the chain has put samples into batches.
    ///
    /// - Throws: `VaultError` where this program does not know that way.
    static func batching(of chain: ContainerChain) throws -> BatchOptions {
        guard
            let batching = BatchOptions(
                parsing: try ManifestReader.read(try chain.manifest()).manifest.batching)
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

    /// There is something that a further container would hold.
    var hasWork: Bool { !mended.isEmpty || !failed.isEmpty }

    /// Number of batches in the chain.
    var batchCount: Int {
        entries.values.count { StoredEntry($0.name).batch?.isGone == false }
    }

    private var changed: VaultError { VaultError(.session(.sourceChanged), path: source) }

    /// The document is the one that the chain was made of.
    ///
    /// - Throws: `VaultError` where it is another one.
    func requireSame(_ fingerprint: SourceFingerprint) throws(VaultError) {
        guard fingerprint.length == manifest.fingerprint.length,
            fingerprint.crc32 == manifest.fingerprint.crc32
        else { throw changed }
    }

    /// What the chain's manifest says of a file that is not done again.
    ///
    /// - Returns: nil for a file that is.
    /// - Throws: `VaultError` where the source has others than it had.
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

    /// Whether the chain has an entry, and, of a batch, the same rows.
    ///
    /// - Throws: `VaultError` where it has another one under this name, or was never to have one.
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

    /// Not by their bytes: other versions of the compression, and other neighbours, make others of the same rows.
    private static func isSame(_ known: ContainerEntry, _ batch: BatchFacts) -> Bool {
        known.number("count") == batch.identity.count && known.number("firstPosition") == batch.firstPosition
            && known.number("lastPosition") == batch.lastPosition
    }

    /// All batches of the chain came again.
    ///
    /// - Throws: `VaultError` where some did not.
    func requireAll(_ count: Int) throws(VaultError) {
        guard count == batchCount else { throw changed }
    }
}
