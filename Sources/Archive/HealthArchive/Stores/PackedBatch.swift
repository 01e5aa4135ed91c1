import AppleHealthExport
import ByteText
import DataCompression
import HealthFormats
import HealthModel
import SampleBatches
import Synchronization
import SystemIO
import VaultCrypto

/// A batch that waits, in the compressed columns of archives, until it is read.
///
/// An export is not sorted by time, so all batches of a query wait until the end of the pass. In this form they take a
/// third less room than as compressed rows, and a fifth of that of rows. Those that do not fit into some memory wait in
/// an unnamed encrypted file.
struct PackedBatch: Sendable {
    /// The batch without its samples.
    let planned: PlannedBatch
    private let content: Content

    private enum Content: Sendable {
        /// A frame, and the length of its content.
        case columns([UInt8], length: Int)
        /// The place of a frame in a file, and the length of its content.
        case spooled(SpooledPlace, WaitingFile, length: Int)
        /// A batch with a record that is too large for the reader of columns.
        case rows(ColumnBatch)
    }

    /// Packs batches, with buffers that are reused.
    struct Packer: ~Copyable {
        private var writer = StoredBatchWriter()
        private var compressor: ZstandardCompressor
        /// The bytes of frames in memory.
        private(set) var bytesInMemory = 0
        private let mostInMemory: Int
        private var file: WaitingFile?

        /// Creates a packer.
        ///
        /// - Parameter mostInMemory: The bytes of frames that are kept in memory.
        init(mostInMemory: Int = 8 << 20) throws(CompressionError) {
            compressor = try ZstandardCompressor()
            self.mostInMemory = mostInMemory
        }

        mutating func pack(_ batch: ClosedBatch) throws(CompressionError) -> PackedBatch {
            try pack(batch.columns, of: batch.key)
        }

        mutating func pack(_ batch: SampleBatch) throws(CompressionError) -> PackedBatch {
            try pack(ColumnBatch(batch), of: batch.key)
        }

        private mutating func pack(_ columns: ColumnBatch, of key: SampleBatch.Key) throws(CompressionError)
            -> PackedBatch
        {
            let text = writer.write(columns)
            let planned = PlannedBatch(key: key, count: columns.count, first: columns.first?.seconds)
            guard text.count <= StoredBatchReader.largestText else {
                return PackedBatch(planned: planned, content: .rows(columns))
            }
            let frame = try compressor.compress(text.span, .columns, endingBlocksAt: writer.columnEnds)
            if bytesInMemory + frame.count > mostInMemory, let (place, file) = spooled(frame) {
                return PackedBatch(planned: planned, content: .spooled(place, file, length: text.count))
            }
            bytesInMemory += frame.count
            return PackedBatch(planned: planned, content: .columns(frame, length: text.count))
        }

        /// Writes a frame to the file; returns nil if there is no room for it, or no folder for the file.
        private mutating func spooled(_ frame: [UInt8]) -> (SpooledPlace, WaitingFile)? {
            if file == nil { file = try? WaitingFile() }
            guard let file, let place = try? file.append(frame) else { return nil }
            return (place, file)
        }
    }

    /// Returns the samples of the batch.
    func samples() throws -> SampleBatch {
        switch content {
        case .rows(let batch): return try batch.samples()
        case .columns(let frame, let length): return try Self.samples(frame, length)
        case .spooled(let place, let file, let length): return try Self.samples(file.bytes(at: place), length)
        }
    }

    private static func samples(_ frame: [UInt8], _ length: Int) throws -> SampleBatch {
        var decompressor = try ZstandardDecompressor()
        var reader = StoredBatchReader()
        return try reader.read(try decompressor.decompress(frame.span, limit: length), lines: .max)
    }
}

/// Packs batches for a function that outlives the call in which it was made.
final class SharedPacker: Sendable {
    private let packer = Mutex<PackedBatch.Packer?>(nil)

    /// Starts over, when no batch waits any more: with all of the memory, and another file if one is needed.
    func reset() { packer.withLock { $0 = nil } }

    func pack(_ batch: SampleBatch) throws -> PackedBatch {
        try packer.withLock { packer in
            var own = try packer.take() ?? PackedBatch.Packer()
            let packed = try own.pack(batch)
            packer = consume own
            return packed
        }
    }
}

/// The file for batches that wait, which nobody can read: it has no name, and a random key that is never written.
final class WaitingFile: Sendable {
    private let file: SpoolFile
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var cipher: AES256GCM
        var size = 0
        var count: UInt64 = 0
    }

    /// Makes the file in the folder for temporary files that TMPDIR names, or in that of the system for large ones.
    init() throws {
        let folder = try OpenFolder(opening: CurrentProcess.path(inEnvironment: "TMPDIR") ?? "/var/tmp")
        // Everyone may write there: a name that others know could be taken.
        file = try SpoolFile(in: folder, named: ".healthvault-\(Hexadecimal.text(try Random.bytes(16)))")
        state = Mutex(State(cipher: try file.cipher()))
    }

    /// Writes a frame.
    func append(_ frame: [UInt8]) throws -> SpooledPlace {
        try state.withLock { state in
            // No two frames are sealed with one number, even if the first could not be written.
            defer { state.count += 1 }
            let place = try file.write(frame, number: state.count, at: state.size, &state.cipher)
            state.size += place.length
            return place
        }
    }

    /// Returns a frame.
    func bytes(at place: SpooledPlace) throws -> [UInt8] {
        try state.withLock { state in try file.bytes(at: place, &state.cipher) }
    }
}
