import AppleHealthExport
import ArchiveWriting
import ByteText
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
    private let terms: EncoderTerms
    private var tally = ManifestTally()
    /// The sample type or the file that is being read.
    private var subject = ""

    init(
        exporter: Exporter, input: ExportInput, destination: any ExportDestination,
        held: PredecessorContents? = nil
    ) {
        self.exporter = exporter
        self.input = input
        self.destination = destination
        processors = Processors(count: exporter.settings.jobs - 1)
        self.held = held
        terms = EncoderTerms(
            modified: input.modified, length: input.size.unpacked)
    }

    /// Writes everything but the manifest.
    mutating func export() async throws -> Manifest {
        DebugLog.log(
            "reading the document, batches by \(input.batching.description), \(processors.count + 1) threads")
        try await EntryPipeline.with(destination, terms, processors) { pipeline in
            try await exportDocument(&pipeline)
            try await exportFiles(&pipeline)
        }
        tally.manifest.batching = input.batching.description
        tally.manifest.ignoredFiles = input.source.ignoredFiles
        var manifest = tally.finish()
        let exported = manifest.exported
        manifest.zone = try ExportZone.text(tally.zones, exported: exported ?? manifest.last)
        return manifest
    }

    private mutating func exportDocument(_ pipeline: inout EntryPipeline) async throws {
        var collector = BatchCollector(options: input.batching)
        let prologue = try await readDocument(into: &collector, &pipeline)
        try await write(collector.removeClosed(), &pipeline)
        while collector.closeNext() { try await write(collector.removeClosed(), &pipeline) }
        try await pipeline.finish()
        count(&pipeline)
        // Side files need larger blocks than the document, which would not fit where its own were.
        CurrentProcess.returnFreeMemory()
        try pipeline.add(prologue: prologue)
        tally.manifest.exportDate = collector.facts.exportDate
        tally.manifest.locale = collector.facts.locale
    }

    /// Reads the document, and gives back the memory for that.
    ///
    /// - Returns: The text before its root element.
    private mutating func readDocument(
        into collector: inout BatchCollector, _ pipeline: inout EntryPipeline
    ) async throws -> [UInt8] {
        var reader = DocumentReader(
            input.document, name: input.source.documentName, observer: input.fingerprint,
            sideFiles: input.source.sidePaths, acceptsDamage: exporter.acceptsDamage)
        subject = input.source.documentName.description
        do {
            while try await reader.advance(into: &collector, readingAheadOn: processors) {
                try await write(collector.removeClosed(), &pipeline)
                try report(done: reader.bytesRead)
            }
        } catch let error as ExportError {
            // Whoever writes to standard input was mostly asked to stop as well, and its document has no end then.
            try exporter.settings.checkInterruption(of: exporter.target)
            throw error
        }
        tally.add(reader)
        tally.manifest.fingerprint = try input.fingerprint.fingerprint(crc32: input.document.crc32)
        tally.manifest.isTruncated = reader.isTruncated || input.source.isSalvaged
        tally.manifest.skipped = reader.skipped.map {
            Manifest.SkippedRange(offset: $0.lowerBound, length: $0.count)
        }
        try held?.requireSame(tally.manifest.fingerprint)
        return reader.prologue
    }

    /// Reports the progress, and stops the export if that was requested.
    private func report(done: Int) throws {
        exporter.settings.progress(input.size.progress(.reading, subject, done: done))
        try exporter.settings.checkInterruption(of: exporter.target)
    }

    private mutating func write(_ batches: [ClosedBatch], _ pipeline: inout EntryPipeline) async throws {
        for batch in batches {
            subject = batch.key.type.isEmpty ? batch.key.element : batch.key.type
            try await pipeline.add(.collected(batch))
            count(&pipeline)
        }
    }

    private mutating func count(_ pipeline: inout EntryPipeline) {
        for batch in pipeline.removeWritten() { tally.add(batch.facts, isWritten: batch.isWritten) }
    }

    private func targetMayHoldMore(of name: BytePath, than length: Int) throws -> Bool {
        guard try Target.exists(exporter.target) else { return false }
        // The contents of an archive are unknown here; a folder has a manifest.
        guard destination.form == .plain,
            let former = try? ManifestReader.read(PlainFolder(exporter.target).bytes(of: EntryPath.manifest))
        else { return true }
        return former.files.contains {
            $0.name == name && (!$0.isDamaged || $0.length > length)
        }
    }

    private mutating func exportFiles(_ pipeline: inout EntryPipeline) async throws {
        let paths = EntryPath.files(input.source.sideFiles.map(\.name))
        var done = tally.manifest.fingerprint.length
        for (file, path) in zip(input.source.sideFiles, paths) {
            subject = file.name.description
            if let known = try held?.file(file, path) {
                tally.add(known)
                done = LengthSum.of(done, file.size)
                continue
            }
            var reader = try SideFileReader(file, of: input.source)
            var number = 0
            while let piece = try reader.next() {
                try await pipeline.add(piece, number: number, of: path)
                number += 1
                done = LengthSum.of(done, piece.count)
                try report(done: done)
            }
            // It was readable a moment ago.
            if held != nil, reader.isDamaged { throw ExportError(.changed, file: file.name) }
            // An export that may contain more of the file is not replaced by one that may contain less.
            if reader.isDamaged, exporter.replacing, try targetMayHoldMore(of: file.name, than: reader.length)
            {
                throw VaultError(.damagedFileKeepsTarget, path: file.name)
            }
            try await pipeline.endFile(path)
            tally.add(
                Manifest.File(
                    name: file.name, path: path, length: reader.length, crc32: reader.crc32,
                    isDamaged: reader.isDamaged))
        }
        try await pipeline.finish()
    }
}
