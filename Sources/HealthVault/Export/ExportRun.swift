import AppleHealthExport
import DataCompression
import HealthModel
import VaultCrypto

/// One pass over a source: the document's rows, then the side files.
struct ExportRun {
    let exporter: Exporter
    let input: ExportInput
    let destination: any ExportDestination
    private let pool = EncoderPool()
    private var tally = ManifestTally()

    /// Bytes of a side file that become one compressed entry: the entry then stays below a MiB.
    static let pieceSize = 15 << 16

    init(exporter: Exporter, input: ExportInput, destination: any ExportDestination) {
        self.exporter = exporter
        self.input = input
        self.destination = destination
    }

    /// Writes everything but the manifest.
    mutating func export() async throws -> Manifest {
        let pool = pool
        let form = destination.form
        var workers = OrderedWorkers<EncoderWork, EncodedEntry>(jobs: exporter.jobs) { work in
            try pool.encode(work, as: form)
        }
        try await exportDocument(&workers)
        try await exportFiles(&workers)
        tally.manifest.batching = exporter.batching.description
        tally.manifest.ignoredFiles = input.source.ignoredFiles
        return tally.finish()
    }

    private mutating func exportDocument(_ workers: inout OrderedWorkers<EncoderWork, EncodedEntry>)
        async throws
    {
        var collector = BatchCollector(options: exporter.batching)
        var reader = DocumentReader(
            input.document, name: input.source.documentName, observer: input.fingerprint)
        var progress = Progress()
        progress.total = input.source.documentSize.map { size in
            size + input.source.sideFiles.reduce(0) { $0 + $1.size }
        }
        do {
            while try reader.advance(into: &collector) {
                try await write(collector.takeClosed(), &workers, &progress)
                progress.done = reader.bytesRead
                exporter.progress(progress)
            }
        } catch let error as ExportError where error.code == .truncated && exporter.acceptsTruncated {
            tally.manifest.isTruncated = true
        }
        try await write(collector.takeClosed(), &workers, &progress)
        while collector.closeNext() { try await write(collector.takeClosed(), &workers, &progress) }
        try await finish(&workers)
        try writePrologue(reader)
        tally.take(reader)
        tally.manifest.exportDate = collector.facts.exportDate
        tally.manifest.locale = collector.facts.locale
        tally.manifest.fingerprint = try input.fingerprint.fingerprint(crc32: input.document.crc32)
    }

    private mutating func write(
        _ batches: [ClosedBatch], _ workers: inout OrderedWorkers<EncoderWork, EncodedEntry>,
        _ progress: inout Progress
    ) async throws {
        for batch in batches {
            progress.subject = batch.key.type.isEmpty ? batch.key.element : batch.key.type
            try await submit(.batch(batch), &workers)
        }
    }

    private mutating func submit(
        _ work: EncoderWork, _ workers: inout OrderedWorkers<EncoderWork, EncodedEntry>
    ) async throws {
        var written: [BatchFacts] = []
        let destination = destination
        try await workers.submit(work) { entry in
            try destination.add(entry)
            if let batch = entry.batch { written.append(batch) }
        }
        for batch in written { tally.take(batch) }
    }

    private mutating func finish(_ workers: inout OrderedWorkers<EncoderWork, EncodedEntry>) async throws {
        var written: [BatchFacts] = []
        let destination = destination
        try await workers.finish { entry in
            try destination.add(entry)
            if let batch = entry.batch { written.append(batch) }
        }
        for batch in written { tally.take(batch) }
    }

    private func writePrologue(_ reader: DocumentReader) throws {
        guard !reader.prologue.isEmpty else { return }
        var compressor = try ZstandardCompressor()
        let isStored = destination.form == .stored
        let bytes = isStored ? try compressor.compress(reader.prologue.span) : reader.prologue
        let name = EntryPath.prologue + (isStored ? EntryPath.frameSuffix : "")
        try destination.add(EncodedEntry(name: name, bytes: bytes, sha256: try SHA256.digest(of: bytes.span)))
    }

    private mutating func exportFiles(_ workers: inout OrderedWorkers<EncoderWork, EncodedEntry>) async throws
    {
        let paths = EntryPath.files(input.source.sideFiles.map(\.name))
        var progress = Progress()
        progress.done = tally.manifest.fingerprint.length
        progress.total = progress.done + input.source.sideFiles.reduce(0) { $0 + $1.size }
        for (file, path) in zip(input.source.sideFiles, paths) {
            progress.subject = file.name
            let stream = try input.source.open(file)
            var length = 0
            var number = 0
            while true {
                let piece = try PieceReader.read(stream, count: Self.pieceSize)
                // An empty file has one empty piece.
                guard !piece.isEmpty || number == 0 else { break }
                length += piece.count
                try await submit(.piece(path: path, number: number, bytes: piece), &workers)
                number += 1
                progress.done += piece.count
                exporter.progress(progress)
                if piece.count < Self.pieceSize { break }
            }
            try await finish(&workers)
            try destination.endFile(path)
            tally.take(Manifest.File(name: file.name, path: path, length: length, crc32: stream.crc32))
        }
    }
}

/// Reads a stream in pieces of one size.
enum PieceReader: Sendable {
    /// The next piece; shorter than `count` only at the end.
    static func read(_ stream: any ByteStream, count: Int) throws(ExportError) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: count)
        var filled = 0
        var span = piece.mutableSpan
        while filled < count {
            let read = try stream.read(into: &span, filled..<count)
            if read == 0 { break }
            filled += read
        }
        piece.removeLast(count - filled)
        return piece
    }
}
