import ArchiveWriting
import DataCompression
import HealthArchive
import HealthFormats
import SampleBatches
import SystemIO
import VaultContainer
import VaultCrypto

/// The parameters for encoding a source.
struct EncoderTerms: Sendable {
    /// The modification time of entries in bundles, in seconds since 1970.
    let modified: Int
    /// Writes the lines of batches into files of a plain folder; nil if entries are stored in a container.
    var files: FolderFiles?
    /// The length of the source in bytes; nil if it is not known.
    let length: Int?

    /// The length below which rows are compressed as much as possible in less time than a key derivation takes.
    private static let smallLength = 8 << 20
    /// The length from which a source takes so long that the time matters more than the last percents of size.
    private static let longLength = 200_000_000

    /// Whether the archive is so small that space counts more than reading a file without those beside it.
    var isSmall: Bool { length.map { $0 < Self.smallLength } ?? false }

    /// How hard to try with batches.
    var columnEffort: CompressionEffort { effort(.columns, long: .manyColumns) }
    /// Returns how hard to try with a bundle, which is a small part of a long source's archive.
    ///
    /// - Parameter entry: One of its entries; a bundle has either batches or files.
    func bundleEffort(for entry: SmallEntry?) -> CompressionEffort {
        if case .file = entry, isSmall { return .leastTracks }
        return effort(.little, long: .text)
    }

    private func effort(_ usual: CompressionEffort, long: CompressionEffort) -> CompressionEffort {
        guard let length else { return usual }
        return isSmall ? .least : length < Self.longLength ? usual : long
    }
}

/// A self-contained piece of work that any processor can do.
enum EncoderWork: Sendable {
    /// Rows to be written as a batch.
    case batch(PendingBatch)
    /// A piece of a file.
    case piece(path: BytePath, number: Int, bytes: [UInt8])
    /// Entries to be stored in bundles.
    case small([SmallEntry])
}

/// The result of a piece of work.
enum EncodedWork: Sendable {
    case entry(EncodedEntry)
    case bundle(EncodedBundle)
}

/// Encodes batches and compresses files; its buffers are reused.
final class BatchEncoder: @unchecked Sendable {
    // @unchecked: an encoder is used by one task at a time, which takes it from the pool.
    private var writer = StoredBatchWriter()
    private var lines = NDJSONWriter()
    private var compressor: ZstandardCompressor

    private let terms: EncoderTerms

    init(_ terms: EncoderTerms) throws {
        self.terms = terms
        compressor = try ZstandardCompressor()
    }

    func encode(_ work: EncoderWork) throws -> [EncodedWork] {
        switch (work, terms.files) {
        case (.batch(let pending), nil):
            let batch = pending.columns
            return [.entry(try compressed(writer.write(batch), of: batch))]
        case (.batch(let pending), let files?):
            let batch = try pending.samples
            let name = EntryPath.batch(batch.key) + EntryPath.linesSuffix
            let facts = try pending.facts
            return [
                .entry(
                    try EncodedEntry(to: files, as: name, batch: facts) { write in
                        try lines.forEachPiece(of: batch, write)
                    })
            ]
        case (.piece(let path, let number, let bytes), nil):
            let name = EntryPath.piece(path, number)
            return [.entry(try entry(name, try compressor.compress(bytes.span), nil))]
        case (.piece(let path, _, let bytes), _):
            return [.entry(try entry(path, bytes, nil))]
        case (.small(let entries), _): return try bundles(entries)
        }
    }

    /// Compresses the batch that was written last into an entry; what is left out when columns are read gets a frame of its own,
    /// unless it would be short.
    ///
    /// - Throws: `batchTooLarge` for a batch that no program of ours wrote, with more text than readers accept once it is written
    ///   out.
    private func compressed(_ json: [UInt8], of batch: ColumnBatch) throws -> EncodedEntry {
        guard json.count <= StoredBatchReader.largestText else {
            throw VaultError(.batchTooLarge, path: path(of: batch))
        }
        let frames = try compressor.compress(
            json.span, terms.columnEffort, endingBlocksAt: writer.columnEnds,
            secondFrameAt: writer.secondFrame)
        let name = path(of: batch) + EntryPath.storedSuffix + EntryPath.frameSuffix
        return try entry(name, frames, BatchFacts(batch))
    }

    /// Packs entries into as many bundles as they need; a batch too large for one is stored separately.
    private func bundles(_ entries: [SmallEntry]) throws -> [EncodedWork] {
        var encoded: [EncodedWork] = []
        var builder = BundleBuilder(modified: terms.modified)
        var batches: [BatchFacts?] = []
        let effort = terms.bundleEffort(for: entries.first)
        func endBundle() throws {
            guard !builder.isEmpty else { return }
            encoded.append(
                .bundle(
                    EncodedBundle(
                        bundle: try builder.finish(&compressor, effort),
                        batches: batches)))
            batches = []
        }
        for entry in entries {
            let (name, bytes, batch) = try plain(entry)
            if !builder.add(name, bytes.span) {
                try endBundle()
                guard builder.add(name, bytes.span) else {
                    guard let batch else { throw ContainerError(.invalidUse, entry: name) }
                    encoded.append(.entry(try compressed(bytes, of: batch)))
                    continue
                }
            }
            batches.append(try batch.map { try BatchFacts($0) })
        }
        try endBundle()
        return encoded
    }

    private func plain(_ entry: SmallEntry) throws -> (BytePath, [UInt8], ColumnBatch?) {
        switch entry {
        case .batch(let pending):
            let batch = pending.columns
            return (path(of: batch) + EntryPath.storedSuffix, writer.write(batch), batch)
        case .file(let path, let bytes): return (path, bytes, nil)
        }
    }

    private func path(of batch: ColumnBatch) -> BytePath {
        EntryPath.batch(batch.key, isGone: batch.isGone)
    }

    private func entry(_ name: BytePath, _ bytes: [UInt8], _ batch: BatchFacts?) throws -> EncodedEntry {
        EncodedEntry(name: name, bytes: bytes, sha256: try SHA256.digest(of: bytes.span), batch: batch)
    }
}
