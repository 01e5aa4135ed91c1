import DataCompression
import HealthFormats
import HealthModel
import SystemIO
import VaultCrypto

/// How batches and files are written.
enum ExportForm: Sendable {
    /// Columns, compressed, for a container.
    case stored
    /// NDJSON and the files as they are, for a plain folder.
    case plain
}

/// A piece of work that needs nothing but itself, so that any processor can do it.
enum EncoderWork: Sendable {
    /// Rows to be written as a batch.
    case batch(ClosedBatch)
    /// A piece of a file.
    case piece(path: BytePath, number: Int, bytes: [UInt8])
}

/// What became of it.
struct EncodedEntry: Sendable {
    let name: BytePath
    let bytes: [UInt8]
    let sha256: [UInt8]
    /// The batch that it holds, nil for a piece of a file.
    var batch: BatchFacts?
}

/// What is known of a batch once it is encoded.
struct BatchFacts: Sendable {
    let key: SampleBatch.Key
    let first: Timestamp?
    let last: Timestamp?
    let firstPosition: Int
    let lastPosition: Int
    let identity: IdentitySum
    let census: [ExactName: Int]
    let sources: Set<ExactName>

    init(_ batch: SampleBatch) throws {
        key = batch.key
        first = batch.first
        last = batch.last
        firstPosition = batch.firstPosition
        lastPosition = batch.lastPosition
        identity = batch.identitySum()
        census = try batch.census()
        var sources: Set<ExactName> = []
        InspectionSink.addSources(of: batch.contexts, to: &sources)
        self.sources = sources
    }
}

/// Encodes batches and compresses files; its buffers are used again and again.
final class BatchEncoder: @unchecked Sendable {
    // @unchecked: an encoder is used by one task at a time, which has it from the pool.
    private var columns = StoredBatchWriter()
    private var lines = NDJSONWriter()
    private var compressor: ZstandardCompressor

    init() throws { compressor = try ZstandardCompressor() }

    func encode(_ work: EncoderWork, as form: ExportForm) throws -> EncodedEntry {
        switch (work, form) {
        case (.batch(let closed), .stored):
            let batch = closed.samples()
            let json = columns.write(batch)
            let frame = try compressor.compress(json.span)
            let name = EntryPath.batch(batch.key) + EntryPath.storedSuffix
            return try entry(name, frame, BatchFacts(batch))
        case (.batch(let closed), .plain):
            let batch = closed.samples()
            var text: [UInt8] = []
            lines.write(batch, to: &text)
            return try entry(EntryPath.batch(batch.key) + EntryPath.linesSuffix, text, BatchFacts(batch))
        case (.piece(let path, let number, let bytes), .stored):
            return try entry(EntryPath.piece(path, number), try compressor.compress(bytes.span), nil)
        case (.piece(let path, _, let bytes), .plain):
            return try entry(path, bytes, nil)
        }
    }

    private func entry(_ name: BytePath, _ bytes: [UInt8], _ batch: BatchFacts?) throws -> EncodedEntry {
        EncodedEntry(name: name, bytes: bytes, sha256: try SHA256.digest(of: bytes.span), batch: batch)
    }
}
