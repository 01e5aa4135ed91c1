import ArchiveManifest
import ArchiveWriting
import DataCompression
import SystemIO
import VaultCrypto

/// Encodes batches and files on workers, and adds them to a destination in order.
struct EntryPipeline: ~Copyable {
    private let destination: any ExportDestination
    /// The destination for bundles; nil if small entries are not bundled.
    private let bundles: (any BundleDestination)?
    private var small = SmallEntries()
    private var workers: OrderedWorkers<EncoderWork, [EncodedWork]>
    private var written: [(facts: BatchFacts, isWritten: Bool)] = []

    init(_ destination: any ExportDestination, _ terms: EncoderTerms, _ processors: Processors) {
        self.destination = destination
        bundles = destination.bundles
        var terms = terms
        terms.files = destination.batchFiles
        let shared = terms
        let pool = Pool { try BatchEncoder(shared) }
        // Stored batches are small, unlike plain ones.
        let waiting = destination.form == .stored ? 4 : 0
        workers = OrderedWorkers(processors, waiting: waiting) { work in
            try pool.with { encoder in try encoder.encode(work) }
        }
    }

    /// Adds a batch.
    mutating func add(_ batch: PendingBatch) async throws {
        if bundles != nil, SmallEntries.isSmall(batch) {
            try await gather(.batch(batch))
        } else {
            try await submit(.batch(batch))
        }
    }

    /// Adds a piece of a file; a piece that is shorter than the others is the last.
    mutating func add(_ piece: [UInt8], number: Int, of path: BytePath) async throws {
        if bundles != nil, number == 0, SmallEntries.isSmallFile(path, count: piece.count) {
            try await gather(.file(path: path, bytes: piece))
        } else {
            // A megabyte, and its frame.
            try await submit(.piece(path: path, number: number, bytes: piece), isLarge: true)
        }
    }

    /// Completes a file.
    mutating func endFile(_ path: BytePath) async throws {
        if bundles == nil { try await flush() }
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
        if let entries = small.removeAll() { try await submit(.small(entries)) }
        try await flush()
    }

    /// Waits until nothing is being written, because the export ends with an error.
    mutating func drain() async { await workers.drain() }

    /// Removes and returns the facts about the batches that were written, or refused, since the last call.
    mutating func removeWritten() -> [(facts: BatchFacts, isWritten: Bool)] {
        defer { written = [] }
        return written
    }

    private mutating func gather(_ entry: SmallEntry) async throws {
        if let entries = small.add(entry) { try await submit(.small(entries)) }
    }

    private mutating func submit(_ work: EncoderWork, isLarge: Bool = false) async throws {
        var encoded: [EncodedWork] = []
        try await workers.submit(work, isLarge: isLarge) { encoded += $0 }
        try add(encoded)
    }

    private mutating func flush() async throws {
        let (destination, bundles) = (destination, bundles)
        var written: [(facts: BatchFacts, isWritten: Bool)] = []
        try await workers.finish { try Self.add($0, to: destination, bundles, &written) }
        self.written += written
    }

    private mutating func add(_ encoded: [EncodedWork]) throws {
        try Self.add(encoded, to: destination, bundles, &written)
    }

    private static func add(
        _ encoded: [EncodedWork], to destination: any ExportDestination,
        _ bundles: (any BundleDestination)?, _ written: inout [(facts: BatchFacts, isWritten: Bool)]
    ) throws {
        for work in encoded {
            switch work {
            case .entry(let entry):
                DebugLog.log(
                    "encoded \(entry.batch == nil ? "a piece of a file" : "a batch"), \(entry.bytes.count) bytes to write"
                )
                let isWritten = try destination.add(entry)
                if let batch = entry.batch { written.append((batch, isWritten)) }
            case .bundle(let bundle):
                DebugLog.log("encoded a bundle of \(bundle.batches.count) small entries")
                try bundles?.add(bundle)
                written += bundle.batches.compactMap { $0.map { ($0, true) } }
            }
        }
    }
}
