import ByteSpans
import HealthArchive
import HealthFormats
import HealthModel
import SampleBatches
import Synchronization
import SystemIO
import VaultContainer
import VaultCrypto

/// An open archive: its manifest, and its batches, which are read on demand.
final class OpenArchive: Sendable {
    /// A stored batch, and the extent of the span that it is a part of.
    struct Batch: Sendable {
        let key: SampleBatch.Key
        /// The time before which no sample of this span or a later one starts; nil if samples have no start.
        let first: Timestamp?
        let last: Timestamp?

        /// Whether samples of it may start in a range; those of days start up to a day before or behind.
        func mayStart(in range: Range<Int>) -> Bool {
            guard let first, let last else { return range.lowerBound == .min }
            let slack = key.element == "ActivitySummary" ? 86400 : 0
            return first.seconds - slack < range.upperBound
                && (range.lowerBound == .min || last.seconds + slack >= range.lowerBound)
        }
    }

    /// The batches of one element and type, in the order of their spans.
    struct Group: Sendable {
        let element: String
        let type: String
        var batches: [Batch] = []

        /// The identifier of the type.
        var identifier: ExactName {
            ExactName(AnySampleType.identifier(ofElement: element, type: type) ?? element)
        }
    }

    let path: BytePath
    let fingerprint: StoreFingerprint
    let groups: [Group]
    private let manifest: Manifest
    private let read: @Sendable (SampleBatch.Key, inout ChainCursor) throws -> SampleBatch
    private let readFile: @Sendable (BytePath) throws -> [UInt8]

    init(container path: BytePath, _ passphrase: borrowing Passphrase) throws {
        let chain = try ContainerChain(
            opening: path, passphrase: passphrase, acceptingDamage: true)
        let json = try chain.manifest()
        let entries = Dictionary(
            chain.entries.compactMap { entry in
                StoredEntry(entry.name).batch.map { ($0.stem, entry) }
            }
        ) { first, _ in first }
        self.path = path
        manifest = try ManifestReader.read(json).manifest
        fingerprint = try Self.fingerprint(json)
        groups = try Self.groups(manifest, fileCount: entries.count, path)
        let decoders = Pool(BatchDecoder.init)
        read = { key, cursor in
            let name = EntryPath.batch(key)
            guard let entry = entries[name] else {
                throw VaultError(.manifestMismatch, path: name + EntryPath.linesSuffix)
            }
            // Small batches are in bundles, which are decompressed once for all that are read in a row.
            let bytes = entry.isInBundle ? try chain.data(of: entry, &cursor) : try chain.data(of: entry)
            return try decoders.with { decoder in try decoder.batch(bytes, entry.name) }
        }
        readFile = { path in
            var bytes: [UInt8] = []
            for entry in chain.entries where StoredEntry.plainPath(ofEntry: entry.name) == path {
                let piece = try chain.data(of: entry)
                bytes += try decoders.with { decoder in try decoder.file(piece, entry.name) }
            }
            return bytes
        }
    }

    init(folder path: BytePath) throws {
        let folder = try PlainFolder(path)
        guard let json = try? folder.bytes(of: EntryPath.manifest) else {
            throw VaultError(.noManifest, path: path)
        }
        self.path = path
        manifest = try ManifestReader.read(json).manifest
        fingerprint = try Self.fingerprint(json)
        groups = try Self.groups(manifest, fileCount: folder.paths.count, path)
        read = { key, _ in try folder.samples(of: key) }
        readFile = { path in try folder.bytes(of: path) }
    }

    private static func fingerprint(_ manifest: [UInt8]) throws -> StoreFingerprint {
        let digest = try SHA256.digest(of: manifest.span)
        return StoreFingerprint(["kind": "archive", "manifest": Hexadecimal.text(digest)])
    }

    /// Groups the batches of a manifest by element and type.
    ///
    /// - Parameter fileCount: The number of files, which limits the number of batches.
    private static func groups(
        _ manifest: Manifest, fileCount: Int, _ path: BytePath
    ) throws(VaultError) -> [Group] {
        guard manifest.batchCount <= fileCount else { throw VaultError(.manifestMismatch, path: path) }
        let failed = Set(manifest.failedBatches.map(\.key))
        var groups: [TypeKey: Group] = [:]
        for span in manifest.spans {
            let (element, type) = (span.key.element, span.key.type)
            let key = TypeKey(element: element, type: type)
            for batch in span.batchKeys(limit: fileCount) where !failed.contains(batch) {
                groups[key, default: Group(element: element, type: type)].batches.append(
                    Batch(key: batch, first: span.first, last: span.last))
            }
        }
        return groups.sorted { $0.key < $1.key }.map { _, group in
            var group = group
            group.batches.sort { left, right in
                let (mine, theirs) = (left.first?.seconds ?? .max, right.first?.seconds ?? .max)
                return (mine, left.key.part) < (theirs, right.key.part)
            }
            return group
        }
    }

    /// Returns the samples of a batch.
    ///
    /// - Parameter cursor: The place of a reader of several batches.
    func samples(of batch: Batch, _ cursor: inout ChainCursor) throws -> SampleBatch {
        try read(batch.key, &cursor)
    }

    /// Returns the side files in a folder of the source.
    func files(in folder: String) -> [StoreFile] {
        manifest.files.enumerated().compactMap { number, file in
            guard let path = file.name.text, path.hasPrefix(folder + "/") else { return nil }
            return StoreFile(path: path, length: file.length, handle: String(number))
        }
    }

    /// Returns the bytes of a side file.
    ///
    /// - Throws: `VaultError` if its length is not the one in the manifest; ``NoSuchFile``.
    func bytes(of file: StoreFile) throws -> [UInt8] {
        guard let number = Int(file.handle), manifest.files.indices.contains(number) else {
            throw NoSuchFile()
        }
        let listed = manifest.files[number]
        let bytes = try readFile(listed.path)
        guard bytes.count == listed.length else { throw VaultError(.manifestMismatch, path: listed.path) }
        return bytes
    }

    /// Returns the batches of a request in its order.
    ///
    /// - Parameter starts: The instants at which requested samples may start, in seconds since 1970.
    func batches(_ request: SpanRequest, starts: Range<Int>) -> [Batch] {
        let groups = groups.filter { request.covers(element: $0.element, type: $0.type) }
        return groups.sorted { $0.identifier < $1.identifier }.flatMap { group in
            let wanted = group.batches.filter { $0.mayStart(in: starts) }
            return request.isNewestFirst ? Self.newestFirst(wanted) : wanted
        }
    }

    /// Returns batches with the spans in reverse order and the parts of each span in their own; those without a time
    /// stay last.
    private static func newestFirst(_ batches: [Batch]) -> [Batch] {
        batches.sorted { left, right in
            let (mine, theirs) = (left.first?.seconds ?? .min, right.first?.seconds ?? .min)
            return mine != theirs ? mine > theirs : left.key.part < right.key.part
        }
    }

    /// The contents, once they were asked for.
    private let known = Mutex<StoreContents?>(nil)

    func contents() throws -> StoreContents {
        if let contents = known.withLock(\.self) { return contents }
        let contents = try readContents()
        known.withLock { $0 = contents }
        return contents
    }

    /// Reads the facts about the person, which have batches of their own.
    func characteristics() throws -> Characteristics {
        try Inspector.characteristics(manifest) { key in
            var cursor = ChainCursor()
            return try read(key, &cursor)
        }
    }

    private func readContents() throws -> StoreContents {
        var contents = StoreContents()
        contents.fingerprint = fingerprint
        contents.isSelection = manifest.selection != nil
        contents.exportDate = Timestamp(apple: Array(manifest.exportDate.utf8).span)
        contents.types = TypeExtent.list(Inspector.summaries(of: manifest))
        contents.sources = manifest.sources
        contents.days = try manifest.days()
        return contents
    }
}
