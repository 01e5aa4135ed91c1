import AppleHealthExport
import DataCompression
import HealthFormats
package import SampleBatches
package import SystemIO
import VaultCrypto

/// Turns the compressed entries of a container back into what they were made of.
package final class BatchDecoder: @unchecked Sendable {
    // @unchecked: a decoder is used by one task at a time, which has it from the pool.
    private var decompressor: ZstandardDecompressor
    private var reader = StoredBatchReader()
    private var writer = NDJSONWriter()

    /// How large what is decoded may get.
    package struct Bounds: Sendable {
        /// Bytes of a batch's JSON text.
        let text: Int
        /// Bytes of its rows as NDJSON.
        let lines: Int

        /// Nothing larger is in an archive of this program.
        package static let largest = Bounds(
            text: StoredBatchReader.largestText, lines: StoredBatchReader.largestLines)
        /// What almost all batches stay below, so that several can be decoded side by side.
        static let usual = Bounds(text: 1 << 23, lines: 3 << 23)
    }

    package init() throws { decompressor = try ZstandardDecompressor() }

    /// A piece of a side file, or a whole one, as it was.
    func file(_ bytes: [UInt8], _ path: BytePath) throws -> [UInt8] {
        if case .file = StoredEntry(path) { return bytes }
        return try decompress(bytes, path, limit: SideFileReader.pieceSize)
    }

    /// What stands before the root element.
    func prologue(_ bytes: [UInt8], _ path: BytePath) throws -> [UInt8] {
        try decompress(bytes, path, limit: DocumentReader.longestPrologue)
    }

    /// The text of a manifest.
    func manifest(_ bytes: [UInt8]) throws -> [UInt8] {
        try decompress(bytes, EntryPath.storedManifest, limit: Manifest.longestText(of: bytes.count))
    }

    private func decompress(_ bytes: [UInt8], _ path: BytePath, limit: Int) throws -> [UInt8] {
        do { return try decompressor.decompress(bytes.span, limit: limit) } catch {
            throw error.code == .tooLarge
                ? VaultError(.batchTooLarge, path: path)
                : VaultError(.format(FormatError(.malformed)), path: path)
        }
    }

    /// A stored batch, compressed or not, as its name says.
    ///
    /// - Throws: `VaultError`, with `batchTooLarge` where it is more than the bounds allow.
    package func batch(_ bytes: [UInt8], _ path: BytePath, within bounds: Bounds = .largest) throws
        -> SampleBatch
    {
        do {
            let name = StoredBatchName(path)
            let isCompressed = name?.isCompressed ?? false
            let text = isCompressed ? try decompress(bytes, path, limit: bounds.text) : bytes
            guard text.count <= bounds.text else { throw VaultError(.batchTooLarge, path: path) }
            let batch = try reader.read(text, lines: bounds.lines)
            // What has vanished must not pass for what is there, nor the other way round.
            guard batch.isGone == name?.isGone else { throw FormatError(.inconsistent) }
            return batch
        } catch let error as FormatError {
            throw VaultError(error.code == .tooLarge ? .batchTooLarge : .format(error), path: path)
        }
    }

    /// The rows of a batch as they stand in a plain folder.
    func lines(of batch: SampleBatch) -> [UInt8] {
        var text: [UInt8] = []
        writer.write(batch, to: &text)
        return text
    }

    /// The entry as it stands in a plain folder.
    func plain(
        _ name: BytePath, _ bytes: [UInt8], within bounds: Bounds = .largest
    ) throws -> EncodedEntry {
        let content = try plainContent(name, bytes, bounds)
        return EncodedEntry(
            name: StoredEntry.plainPath(ofEntry: name), bytes: content,
            sha256: try SHA256.digest(of: content.span))
    }

    private func plainContent(_ name: BytePath, _ bytes: [UInt8], _ bounds: Bounds) throws -> [UInt8] {
        switch StoredEntry(name) {
        case .batch:
            return lines(of: try batch(bytes, name, within: bounds))
        case .prologue: return try prologue(bytes, name)
        case .piece, .file: return try file(bytes, name)
        case .manifest: return try manifest(bytes)
        case .session, .other: return bytes
        }
    }
}
