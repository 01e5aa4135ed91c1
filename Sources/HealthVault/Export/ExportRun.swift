import AppleHealthExport
import ByteSpans
import DataCompression
import HealthModel
import SystemIO
import VaultCrypto

/// One pass over a source: the document's rows, then the side files.
struct ExportRun {
    let exporter: Exporter
    let input: ExportInput
    let destination: any ExportDestination
    private let processors: Processors
    /// What need not be written, because the containers hold it that this export continues; nil where there are none.
    private let held: HeldExport?
    private let pool = Pool(BatchEncoder.init)
    private var tally = ManifestTally()

    init(
        exporter: Exporter, input: ExportInput, destination: any ExportDestination, held: HeldExport? = nil
    ) {
        self.exporter = exporter
        self.input = input
        self.destination = destination
        processors = Processors(count: exporter.jobs - 1)
        self.held = held
    }

    /// Writes everything but the manifest.
    mutating func export() async throws -> Manifest {
        let pool = pool
        let form = destination.form
        // Stored batches are small, unlike plain ones.
        let waiting = form == .stored ? 4 : 0
        var workers = OrderedWorkers<EncoderWork, EncodedEntry>(processors, waiting: waiting) { work in
            try pool.with { encoder in try encoder.encode(work, as: form) }
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
            LengthSum.of(size, input.source.sideFiles.total(\.size))
        }
        do {
            while try await reader.advance(into: &collector, readingAheadOn: processors) {
                try await write(collector.takeClosed(), &workers, &progress)
                progress.done = reader.bytesRead
                try report(progress)
            }
        } catch let error as ExportError
            where error.code == .truncated && exporter.acceptsTruncated && reader.rowCount > 0
        {
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
        try held?.requireSame(tally.manifest.fingerprint)
    }

    /// Tells how far the export is, and stops where that is wanted.
    private func report(_ progress: Progress) throws {
        exporter.progress(progress)
        if exporter.isInterrupted() { throw VaultError(.interrupted, path: exporter.target) }
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
        var written: [EncodedBatch] = []
        let destination = destination
        try await workers.submit(work) { try Self.add($0, to: destination, &written) }
        for batch in written { tally.take(batch.facts, isWritten: batch.isWritten) }
    }

    private mutating func finish(_ workers: inout OrderedWorkers<EncoderWork, EncodedEntry>) async throws {
        var written: [EncodedBatch] = []
        let destination = destination
        try await workers.finish { try Self.add($0, to: destination, &written) }
        for batch in written { tally.take(batch.facts, isWritten: batch.isWritten) }
    }

    private typealias EncodedBatch = (facts: BatchFacts, isWritten: Bool)

    private static func add(
        _ entry: EncodedEntry, to destination: any ExportDestination, _ written: inout [EncodedBatch]
    ) throws {
        let isWritten = try destination.add(entry)
        if let batch = entry.batch { written.append((batch, isWritten)) }
    }

    private func writePrologue(_ reader: DocumentReader) throws {
        guard !reader.prologue.isEmpty else { return }
        var compressor = try ZstandardCompressor()
        let isStored = destination.form == .stored
        let bytes = isStored ? try compressor.compress(reader.prologue.span) : reader.prologue
        let name = EntryPath.prologue + (isStored ? EntryPath.frameSuffix : "" as BytePath)
        _ = try destination.add(
            EncodedEntry(name: name, bytes: bytes, sha256: try SHA256.digest(of: bytes.span)))
    }

    private func targetMayHoldMore(of name: BytePath, than length: Int) throws -> Bool {
        guard try Target.exists(exporter.target) else { return false }
        // Of an archive nobody knows; a folder says what it has.
        guard destination.form == .plain,
            let former = try? ManifestReader.read(PlainFolder(exporter.target).bytes(of: EntryPath.manifest))
        else { return true }
        return former.manifest.files.contains {
            $0.name == name && (!$0.isDamaged || $0.length > length)
        }
    }

    private mutating func exportFiles(_ workers: inout OrderedWorkers<EncoderWork, EncodedEntry>) async throws
    {
        let paths = EntryPath.files(input.source.sideFiles.map(\.name))
        var progress = Progress()
        progress.done = tally.manifest.fingerprint.length
        progress.total = LengthSum.of(progress.done, input.source.sideFiles.total(\.size))
        for (file, path) in zip(input.source.sideFiles, paths) {
            progress.subject = file.name.description
            if let known = try held?.file(file, path) {
                tally.take(known)
                progress.done = LengthSum.of(progress.done, file.size)
                continue
            }
            var reader = try SideFileReader(file, of: input.source)
            var number = 0
            while let piece = try reader.next() {
                try await submit(.piece(path: path, number: number, bytes: piece), &workers)
                number += 1
                progress.done += piece.count
                try report(progress)
            }
            // A moment ago it could be read.
            if held != nil, reader.isDamaged { throw ExportError(.changed, file: file.name) }
            // An export that may hold more of the file is not given up for one that does not.
            if reader.isDamaged, exporter.replacing, try targetMayHoldMore(of: file.name, than: reader.length)
            {
                throw VaultError(.damagedFileKeepsTarget, path: file.name)
            }
            try await finish(&workers)
            try destination.endFile(path)
            tally.take(
                Manifest.File(
                    name: file.name, path: path, length: reader.length, crc32: reader.crc32,
                    isDamaged: reader.isDamaged))
        }
    }
}
