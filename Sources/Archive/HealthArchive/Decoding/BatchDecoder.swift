import AppleHealthExport
import ByteText
import DataCompression
package import HealthFormats
package import SampleBatches
package import SystemIO

/// A decoder for the compressed entries of a container.
package final class BatchDecoder: @unchecked Sendable {
    // @unchecked: the pool hands a decoder to one task at a time.
    private var decompressor: ZstandardDecompressor
    private var reader = StoredBatchReader()
    private var writer = NDJSONWriter()
    /// The text and the columns of the last batch of which columns were read, whose memory the next one uses.
    private var text: [UInt8] = []
    private var columns = StoredColumns()

    /// The longest text whose memory is kept.
    private static let longestKept = 1 << 21

    /// The limits on the size of decoded data.
    package struct Bounds: Sendable {
        /// The limit on a batch's JSON text, in bytes.
        package let text: Int
        /// The limit on its rows as NDJSON, in bytes.
        let lines: Int

        /// The limits that no archive of this program exceeds.
        package static let largest = Bounds(
            text: StoredBatchReader.largestText, lines: StoredBatchReader.largestLines)
        /// The limits that almost no batch exceeds, so that several can be decoded concurrently.
        package static let usual = Bounds(text: 1 << 23, lines: 3 << 23)
    }

    package init() throws { decompressor = try ZstandardDecompressor() }

    /// Returns the original bytes of a side file, or of a piece of one.
    package func file(_ bytes: [UInt8], _ path: BytePath) throws -> [UInt8] {
        if case .file = StoredEntry(path) { return bytes }
        return try decompress(bytes, path, limit: SideFileReader.pieceSize)
    }

    /// Returns the text before the root element.
    package func prologue(_ bytes: [UInt8], _ path: BytePath) throws -> [UInt8] {
        let text = try decompress(bytes, path, limit: DocumentReader.longestPrologue)
        // A document that begins with it must be one that can be read again.
        guard text.isEmpty || DocumentReader.isPrologue(text) else {
            throw VaultError(.format(FormatError(.malformed)), path: path)
        }
        return text
    }

    /// Returns the text of a manifest.
    package func manifest(_ bytes: [UInt8]) throws -> [UInt8] {
        try decompress(bytes, EntryPath.storedManifest, limit: Manifest.longestText(of: bytes.count))
    }

    private func decompress(_ bytes: [UInt8], _ path: BytePath, limit: Int) throws -> [UInt8] {
        do { return try decompressor.decompress(bytes.span, limit: limit) } catch {
            throw Self.failure(error, path)
        }
    }

    private static func failure(_ error: CompressionError, _ path: BytePath) -> VaultError {
        error.code == .tooLarge
            ? VaultError(.batchTooLarge, path: path)
            : VaultError(.format(FormatError(.malformed)), path: path)
    }

    /// Decodes a stored batch, decompressing it if its name shows that it is compressed.
    ///
    /// - Throws: `VaultError`, with `batchTooLarge` if it exceeds the bounds.
    package func batch(_ bytes: [UInt8], _ path: BytePath, within bounds: Bounds = .largest) throws
        -> SampleBatch
    {
        try decoding(bytes, path, within: bounds) { name in
            // In memory of its own, which the batch keeps.
            var text = name.isCompressed ? [] : bytes
            if name.isCompressed { try decompress(frames: bytes, path, within: bounds, into: &text) }
            let batch = try reader.read(text, lines: bounds.lines)
            // A vanished batch must not be mistaken for a present one, or vice versa.
            guard batch.isGone == name.isGone else { throw FormatError(.inconsistent) }
            return batch
        }
    }

    /// Decodes a stored batch only to sum the identities of its rows; whatever `batch` does not accept, this does not.
    ///
    /// - Throws: `VaultError`, with `batchTooLarge` if it exceeds the bounds.
    package func identity(
        _ bytes: [UInt8], _ path: BytePath, within bounds: Bounds = .largest
    ) throws -> StoredIdentity {
        try decoding(bytes, path, within: bounds) { name in
            try withText(bytes, path, name, within: bounds) { text in
                let identity = try reader.identity(of: text, lines: bounds.lines)
                guard identity.isGone == name.isGone else { throw FormatError(.inconsistent) }
                return identity
            }
        }
    }

    /// Calls `body` with the text of a stored batch, in memory that the next one uses.
    ///
    /// - Parameter leavingFrames: Whether to call `body` first without what is in further frames, and with it only if that
    ///   throws.
    private func withText<Result>(
        _ bytes: [UInt8], _ path: BytePath, _ name: StoredBatchName, within bounds: Bounds,
        leavingFrames: Bool = false, _ body: ([UInt8]) throws -> Result
    ) throws -> Result {
        guard name.isCompressed else { return try body(bytes) }
        defer { if text.capacity > Self.longestKept { text = [] } }
        if leavingFrames {
            guard try decompressFirst(of: bytes, path, within: bounds) else { return try body(text) }
            do { return try body(text) } catch let error as FormatError where error.code != .tooLarge {
            } catch let error as VaultError where error.code == .manifestMismatch {}
        }
        try decompress(frames: bytes, path, within: bounds, into: &text)
        return try body(text)
    }

    /// Makes the text that a batch has without what is in further frames.
    ///
    /// - Returns: false if there are no further frames, so that it is the whole text.
    private func decompressFirst(
        of frames: [UInt8], _ path: BytePath, within bounds: Bounds
    ) throws(VaultError) -> Bool {
        do throws(CompressionError) {
            let length = try decompressor.decompress(firstOf: frames.span, limit: bounds.text, into: &text)
            guard length < frames.count else { return false }
            text += StoredBatchWriter.endOfFirstFrame
            return true
        } catch { throw Self.failure(error, path) }
    }

    private func decompress(
        frames: [UInt8], _ path: BytePath, within bounds: Bounds, into text: inout [UInt8]
    ) throws(VaultError) {
        do throws(CompressionError) {
            try decompressor.decompress(
                frames: frames.span, frameLimit: bounds.text, limit: bounds.text, into: &text)
        } catch { throw Self.failure(error, path) }
    }

    /// Calls `body` with the name of a stored batch.
    private func decoding<Result>(
        _ bytes: [UInt8], _ path: BytePath, within bounds: Bounds, _ body: (StoredBatchName) throws -> Result
    ) throws -> Result {
        do {
            guard let name = StoredBatchName(path) else { throw FormatError(.inconsistent) }
            guard name.isCompressed || bytes.count <= bounds.text else {
                throw VaultError(.batchTooLarge, path: path)
            }
            return try body(name)
        } catch let error as FormatError {
            throw VaultError(error.code == .tooLarge ? .batchTooLarge : .format(error), path: path)
        }
    }

    /// Decodes some columns of a stored batch, and calls `body` with them.
    ///
    /// What is in further frames is only looked at if they are not all in the first one.
    ///
    /// - Parameter check: Throws `manifestMismatch` if the columns are those of another batch.
    /// - Returns: nil if its rows must be read one by one.
    /// - Throws: `VaultError`, with `batchTooLarge` if it exceeds the bounds.
    func withColumns<Result>(
        _ wanted: StoredColumns.Wanted, of bytes: [UInt8], _ path: BytePath, within bounds: Bounds,
        checking check: (StoredColumns) throws -> Void = { _ in }, _ body: (StoredColumns) throws -> Result
    ) throws -> Result? {
        defer { columns.shrink() }
        let isRead = try decoding(bytes, path, within: bounds) { name in
            // Positions are in further frames.
            try withText(bytes, path, name, within: bounds, leavingFrames: !wanted.positions) { text in
                let isRead = try reader.read(wanted, of: text, lines: bounds.lines, into: &columns)
                guard isRead else { return false }
                guard columns.isGone == name.isGone else { throw FormatError(.inconsistent) }
                try check(columns)
                return true
            }
        }
        return isRead ? try body(columns) : nil
    }

    /// Calls `body` with successive pieces of the rows of a batch, as a plain folder contains them.
    package func forEachPiece(of batch: SampleBatch, _ body: (Span<UInt8>) throws -> Void) throws {
        try writer.forEachPiece(of: batch, body)
    }

    /// Returns the entry as a plain folder contains it.
    package func plain(
        _ name: BytePath, _ bytes: [UInt8], within bounds: Bounds = .largest
    ) throws -> EntryBytes {
        EntryBytes(
            name: StoredEntry.plainPath(ofEntry: name), bytes: try plainContent(name, bytes, bounds))
    }

    private func plainContent(_ name: BytePath, _ bytes: [UInt8], _ bounds: Bounds) throws -> [UInt8] {
        switch StoredEntry(name) {
        case .batch:
            var lines: [UInt8] = []
            writer.write(try batch(bytes, name, within: bounds), to: &lines)
            return lines
        case .prologue: return try prologue(bytes, name)
        case .piece, .file: return try file(bytes, name)
        case .manifest: return try manifest(bytes)
        case .session, .other: return bytes
        }
    }
}
