import ArchiveWriting
import DataCompression
import HealthArchive
import Synchronization
import SystemIO
import VaultCrypto

/// Encodes batches and files on workers, which also add them to a destination, in order.
struct EntryPipeline: ~Copyable {
    private let addition: EntryAddition
    private var small: SmallEntries
    private var workers: OrderedDelivery<EncoderWork, [EncodedWork]>

    private var destination: any ExportDestination { addition.destination }
    private var hasBundles: Bool { destination.bundles != nil }

    /// Calls `body` with a pipeline; when it throws, nothing more is written, and no work is under way any longer.
    ///
    /// - Throws: What `body` throws.
    static func with<Result>(
        _ destination: any ExportDestination, _ terms: EncoderTerms, _ processors: Processors,
        _ body: (inout EntryPipeline) async throws -> Result
    ) async throws -> Result {
        var pipeline = EntryPipeline(destination, terms, processors)
        do { return try await body(&pipeline) } catch {
            await pipeline.workers.drain()
            throw error
        }
    }

    private init(_ destination: any ExportDestination, _ terms: EncoderTerms, _ processors: Processors) {
        let addition = EntryAddition(destination)
        self.addition = addition
        var terms = terms
        terms.files = destination.batchFiles
        let shared = terms
        small = SmallEntries(ofSmallSource: terms.isSmall)
        let pool = Pool { try BatchEncoder(shared) }
        // Stored batches are small, unlike plain ones.
        let waiting = destination.form == .stored ? 4 : 0
        workers = OrderedDelivery(processors, waiting: waiting) { work in
            try pool.with { encoder in try encoder.encode(work) }
        } deliver: { encoded in
            try addition.add(encoded)
        }
    }

    /// Adds a batch.
    mutating func add(_ batch: PendingBatch) async throws {
        if hasBundles, SmallEntries.isSmall(batch) {
            try await gather(.batch(batch))
        } else {
            try await workers.submit(.batch(batch))
        }
    }

    /// Adds a piece of a file; a piece that is shorter than the others is the last.
    mutating func add(_ piece: [UInt8], number: Int, of path: BytePath) async throws {
        if hasBundles, number == 0, small.isSmallFile(path, count: piece.count) {
            try await gather(.file(path: path, bytes: piece))
        } else {
            // A megabyte, and its frame.
            try await workers.submit(.piece(path: path, number: number, bytes: piece), isLarge: true)
        }
    }

    /// Adds a file of another export, however it was cut into pieces.
    ///
    /// - Parameter didRead: Is called with the length of each piece.
    mutating func add(
        _ pieces: StoredPieces, as path: BytePath, _ didRead: (Int) throws -> Void
    ) async throws {
        let size = SideFileReader.pieceSize
        var (rest, number): ([UInt8], Int) = ([], 0)
        while let piece = try pieces.next() {
            try didRead(piece.count)
            // Mostly a whole piece, which is not copied.
            if rest.isEmpty { rest = piece } else { rest += piece }
            while rest.count >= size {
                let whole = rest.count == size ? rest : Array(rest.prefix(size))
                try await add(whole, number: number, of: path)
                rest = Array(rest.dropFirst(size))
                number += 1
            }
        }
        if number == 0 || !rest.isEmpty { try await add(rest, number: number, of: path) }
        try await endFile(path)
    }

    /// Completes a file.
    mutating func endFile(_ path: BytePath) async throws {
        guard !hasBundles else { return }
        try await workers.finish()
        try destination.endFile(path)
    }

    /// Adds the text before the root element of a document.
    func add(prologue: [UInt8]) throws {
        guard !prologue.isEmpty else { return }
        var compressor = try ZstandardCompressor()
        let isStored = destination.form == .stored
        let bytes = isStored ? try compressor.compress(prologue.span) : prologue
        let name = EntryPath.prologue + (isStored ? EntryPath.frameSuffix : "" as BytePath)
        _ = try destination.add(
            EncodedEntry(name: name, bytes: bytes, sha256: try SHA256.digest(of: bytes.span)))
    }

    /// Waits until everything has been written.
    mutating func finish() async throws {
        if let entries = small.removeAll() { try await workers.submit(.small(entries)) }
        try await workers.finish()
    }

    /// Removes and returns the facts about the batches that were written, or refused, since the last call.
    func removeWritten() -> [(facts: BatchFacts, isWritten: Bool)] { addition.removeWritten() }

    private mutating func gather(_ entry: SmallEntry) async throws {
        if let entries = small.add(entry) { try await workers.submit(.small(entries)) }
    }
}

/// Adds what was encoded to a destination.
private final class EntryAddition: @unchecked Sendable {
    // @unchecked: the destination is used by one thread at a time, the one that delivers, or the caller while nothing is
    // under way.
    let destination: any ExportDestination
    private let written = Mutex<[(facts: BatchFacts, isWritten: Bool)]>([])

    init(_ destination: any ExportDestination) { self.destination = destination }

    func add(_ encoded: [EncodedWork]) throws {
        for work in encoded {
            switch work {
            case .entry(let entry):
                DebugLog.log(
                    "encoded \(entry.batch == nil ? "a piece of a file" : "a batch"), \(entry.bytes.count) bytes to write"
                )
                let isWritten = try destination.add(entry)
                if let batch = entry.batch { written.withLock { $0.append((batch, isWritten)) } }
            case .bundle(let bundle):
                DebugLog.log("encoded a bundle of \(bundle.batches.count) small entries")
                try destination.bundles?.add(bundle)
                written.withLock { $0 += bundle.batches.compactMap { $0.map { ($0, true) } } }
            }
        }
    }

    /// Removes and returns the facts about the batches that were added, or refused, since the last call.
    func removeWritten() -> [(facts: BatchFacts, isWritten: Bool)] {
        written.withLock { written in
            defer { written = [] }
            return written
        }
    }
}
