import AppleHealthExport
import BatchCollection
import ByteSpans
import DataCompression
import HealthArchive
import SampleBatches
import SystemIO
import VaultCrypto

/// One pass over a source: the document's rows, then the side files.
struct ExportRun {
    let exporter: Exporter
    let input: ExportInput
    let destination: any ExportDestination
    private let processors: Processors
    /// The contents of the containers that this export continues, which need not be written; nil if there are none.
    private let held: PredecessorContents?
    /// The destination for bundles; nil if each small entry is to be an entry of its own.
    private let bundleDestination: (any BundleDestination)?
    private var small = SmallEntries()
    private let pool: Pool<BatchEncoder>
    private var tally = ManifestTally()
    /// The length in bytes below which a source is compressed in less time than a key derivation takes.
    private static let smallLength = 8 << 20

    init(
        exporter: Exporter, input: ExportInput, destination: any ExportDestination,
        held: PredecessorContents? = nil
    ) {
        self.exporter = exporter
        self.input = input
        self.destination = destination
        processors = Processors(count: exporter.jobs - 1)
        self.held = held
        bundleDestination = destination as? any BundleDestination
        let terms = EncoderTerms(
            form: destination.form, modified: input.modified, isSmall: input.length < Self.smallLength)
        pool = Pool { try BatchEncoder(terms) }
    }

    /// Writes everything but the manifest.
    mutating func export() async throws -> Manifest {
        let pool = pool
        // Stored batches are small, unlike plain ones.
        let waiting = destination.form == .stored ? 4 : 0
        var workers = Workers(processors, waiting: waiting) { work in
            try pool.with { encoder in try encoder.encode(work) }
        }
        try await exportDocument(&workers)
        try await exportFiles(&workers)
        tally.manifest.batching = input.batching.description
        tally.manifest.ignoredFiles = input.source.ignoredFiles
        var manifest = tally.finish()
        let exported = Timestamp(apple: Array(manifest.exportDate.utf8).span)
        manifest.zone = try ExportZone.text(tally.zones, exported: exported ?? manifest.last)
        return manifest
    }

    private typealias Workers = OrderedWorkers<EncoderWork, [EncodedWork]>

    private mutating func exportDocument(_ workers: inout Workers) async throws {
        var collector = BatchCollector(options: input.batching)
        var reader = DocumentReader(
            input.document, name: input.source.documentName, observer: input.fingerprint)
        var progress = VaultProgress()
        progress.total = input.source.documentSize == nil ? nil : input.length
        var endOfRows: Int?
        do {
            while try await reader.advance(into: &collector, readingAheadOn: processors) {
                try await write(collector.removeClosed(), &workers, &progress)
                progress.done = reader.bytesRead
                try report(progress)
            }
        } catch let error as ExportError
            where error.code == .truncated && exporter.acceptsTruncated && reader.rowCount > 0
        {
            tally.manifest.isTruncated = true
            endOfRows = error.offset
        }
        try await write(collector.removeClosed(), &workers, &progress)
        while collector.closeNext() { try await write(collector.removeClosed(), &workers, &progress) }
        try await submitSmall(&workers)
        try await finish(&workers)
        try writePrologue(reader)
        tally.add(reader)
        tally.manifest.exportDate = collector.facts.exportDate
        tally.manifest.locale = collector.facts.locale
        tally.manifest.fingerprint = try input.fingerprint.fingerprint(crc32: input.document.crc32)
        if let endOfRows, case let length = tally.manifest.fingerprint.length - endOfRows, length > 0 {
            tally.manifest.skipped = [Manifest.SkippedRange(offset: endOfRows, length: length)]
        }
        try held?.requireSame(tally.manifest.fingerprint)
    }

    /// Reports the progress, and stops the export if that was requested.
    private func report(_ progress: VaultProgress) throws {
        exporter.progress(progress)
        try VaultError.checkInterruption(of: exporter.target, exporter.isInterrupted)
    }

    private mutating func write(
        _ batches: [ClosedBatch], _ workers: inout Workers,
        _ progress: inout VaultProgress
    ) async throws {
        for batch in batches {
            progress.subject = batch.key.type.isEmpty ? batch.key.element : batch.key.type
            if bundleDestination != nil, SmallEntries.isSmall(batch) {
                try await gather(.batch(batch), &workers)
            } else {
                try await submit(.batch(batch), &workers)
            }
        }
    }

    /// Adds a small entry to those waiting for a bundle.
    private mutating func gather(_ entry: SmallEntry, _ workers: inout Workers) async throws {
        if let entries = small.add(entry) { try await submit(.small(entries), &workers) }
    }

    /// Submits the small entries that are left.
    private mutating func submitSmall(_ workers: inout Workers) async throws {
        if let entries = small.removeAll() { try await submit(.small(entries), &workers) }
    }

    private mutating func submit(_ work: EncoderWork, _ workers: inout Workers) async throws {
        var written: [EncodedBatch] = []
        let (destination, bundles) = (destination, bundleDestination)
        try await workers.submit(work) { try Self.add($0, to: destination, bundles, &written) }
        for batch in written { tally.add(batch.facts, isWritten: batch.isWritten) }
    }

    private mutating func finish(_ workers: inout Workers) async throws {
        var written: [EncodedBatch] = []
        let (destination, bundles) = (destination, bundleDestination)
        try await workers.finish { try Self.add($0, to: destination, bundles, &written) }
        for batch in written { tally.add(batch.facts, isWritten: batch.isWritten) }
    }

    private typealias EncodedBatch = (facts: BatchFacts, isWritten: Bool)

    private static func add(
        _ encoded: [EncodedWork], to destination: any ExportDestination,
        _ bundles: (any BundleDestination)?, _ written: inout [EncodedBatch]
    ) throws {
        for work in encoded {
            switch work {
            case .entry(let entry):
                let isWritten = try destination.add(entry)
                if let batch = entry.batch { written.append((batch, isWritten)) }
            case .bundle(let bundle):
                try bundles?.add(bundle)
                written += bundle.batches.compactMap { $0.map { ($0, true) } }
            }
        }
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
        // The contents of an archive are unknown here; a folder has a manifest.
        guard destination.form == .plain,
            let former = try? ManifestReader.read(PlainFolder(exporter.target).bytes(of: EntryPath.manifest))
        else { return true }
        return former.manifest.files.contains {
            $0.name == name && (!$0.isDamaged || $0.length > length)
        }
    }

    private mutating func exportFiles(_ workers: inout Workers) async throws {
        let paths = EntryPath.files(input.source.sideFiles.map(\.name))
        var progress = VaultProgress()
        progress.done = tally.manifest.fingerprint.length
        progress.total = LengthSum.of(progress.done, input.source.sideFiles.total(\.size))
        for (file, path) in zip(input.source.sideFiles, paths) {
            progress.subject = file.name.description
            if let known = try held?.file(file, path) {
                tally.add(known)
                progress.done = LengthSum.of(progress.done, file.size)
                continue
            }
            var reader = try SideFileReader(file, of: input.source)
            var number = 0
            while let piece = try reader.next() {
                // A piece that is shorter than the others is the last one.
                if bundleDestination != nil, number == 0, SmallEntries.isSmallFile(path, count: piece.count) {
                    try await gather(.file(path: path, bytes: piece), &workers)
                } else {
                    try await submit(.piece(path: path, number: number, bytes: piece), &workers)
                }
                number += 1
                progress.done += piece.count
                try report(progress)
            }
            // It could be read a moment ago.
            if held != nil, reader.isDamaged { throw ExportError(.changed, file: file.name) }
            // An export that may contain more of the file is not replaced by one that may contain less.
            if reader.isDamaged, exporter.replacing, try targetMayHoldMore(of: file.name, than: reader.length)
            {
                throw VaultError(.damagedFileKeepsTarget, path: file.name)
            }
            if bundleDestination == nil { try await finish(&workers) }
            try destination.endFile(path)
            tally.add(
                Manifest.File(
                    name: file.name, path: path, length: reader.length, crc32: reader.crc32,
                    isDamaged: reader.isDamaged))
        }
        try await submitSmall(&workers)
        try await finish(&workers)
    }
}
