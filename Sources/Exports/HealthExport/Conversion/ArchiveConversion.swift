public import ArchiveManifest
import ArchiveReading
import ArchiveWriting
import ByteSpans
import CivilTime
import SampleBatches
import SystemIO
public import VaultContainer
public import VaultCrypto

extension Converter {
    /// Writes the source, or a part of it, as an encrypted container; ``formats`` is ignored.
    ///
    /// No unencrypted byte is written to disk.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase that will open the container.
    ///   - iterations: The number of PBKDF2 iterations, 600,000 to 10,000,000.
    ///   - tool: The name and version of the program, for the container's index.
    /// - Throws: `VaultError`, `nothingSelected` if the selection contains no samples; nothing new is then left at
    ///   the target's path.
    public func encrypt(
        passphrase: consuming Passphrase, iterations: Int = ContainerFormat.defaultIterations,
        tool: String = "healthvault"
    ) async throws(VaultError) -> Summary {
        let start = SystemClock.uptime()
        do {
            guard ContainerFormat.writableIterations.contains(iterations) else {
                throw ContainerError(.kdfRefused)
            }
            try checkContainer()
            try checkSource()
            let export = try await stored(in: OpenFolder(holding: target))
            let exported = export.manifest.exported
            let session = SessionText(export.manifest, tool: tool)
            let destination = try ContainerDestination(
                target, replacing: replacing, passphrase: passphrase, iterations: iterations,
                facts: ContainerDestination.Facts(
                    tool: tool, created: Timestamp(seconds: SystemClock.now(), offsetMinutes: 0).utc,
                    modified: exported?.seconds ?? 0, session: { _ in session.json() }, isResumable: false,
                    volumes: volumes, progress: progress))
            do {
                var run = try ArchiveConversion(self, export, destination, modified: exported?.seconds ?? 0)
                let (manifest, text) = try await run.convert()
                guard manifest.canBeStored(as: text) else {
                    throw VaultError(.manifestTooLarge, path: target)
                }
                if let identity = OutputIdentity.expected(ofTarget: target, isEncrypted: true, text) {
                    try finishing(identity, manifest)
                }
                try await destination.finish(manifest: text)
                return Summary(
                    manifest: manifest, formats: [], absentTypes: run.absentTypes, files: 1,
                    size: destination.size, seconds: SystemClock.uptime() - start, leftBehind: nil)
            } catch {
                destination.abandon()
                throw error
            }
        } catch { throw VaultError.wrapping(error, path: target) }
    }

    /// Checks whether a container can be created; call it before asking for a passphrase.
    ///
    /// - Throws: `VaultError`.
    public func checkContainer() throws(VaultError) {
        do {
            if acceptsDamage, replacing { throw VaultError(.targetExists, path: target) }
            try Exporter(source: source.path, target: target).checkSeparation()
            try Target.check(file: target, replacing: replacing)
        } catch { throw VaultError.wrapping(error, path: target) }
    }
}

/// A pass over a stored export that writes its entries to a container.
private struct ArchiveConversion {
    private let converter: Converter
    private let export: StoredExport
    private var part: SelectedPart?
    private let terms: EncoderTerms
    private let destination: ContainerDestination
    private var sums: [SampleBatch.Key: IdentitySum] = [:]
    private var progress = VaultProgress()

    init(
        _ converter: Converter, _ export: StoredExport, _ destination: ContainerDestination, modified: Int
    ) throws {
        self.converter = converter
        self.export = export
        self.destination = destination
        part = try converter.selection.map { try SelectedPart($0, of: export) }
        terms = EncoderTerms(
            form: .stored, modified: modified,
            isSmall: export.manifest.fingerprint.length < EncoderTerms.smallLength)
    }

    /// The identifiers of requested types that have no samples in the source.
    var absentTypes: [String] { part?.absentTypes ?? [] }

    private struct Work: Sendable {
        let key: SampleBatch.Key
        let bytes: [UInt8]
    }

    mutating func convert() async throws -> (Manifest, text: [UInt8]) {
        let batches = export.groups.flatMap { $0.batches.filter { part?.mayHold($0) ?? true } }
        let files = part == nil ? export.manifest.files : []
        let further = part == nil && keepsGone ? export.manifest.gone.files : []
        progress.total = LengthSum.of(
            batches.total { export.contents.length(of: $0.key) }, (files + further).total(\.length))
        let processors = Processors(count: converter.jobs - 1)
        var pipeline = EntryPipeline(destination, terms, processors)
        try await convert(batches, &pipeline, processors)
        guard part == nil else {
            try await pipeline.finish()
            count(&pipeline)
            guard let manifest = part?.manifest(), !manifest.spans.isEmpty else {
                throw VaultError(.nothingSelected, path: converter.source.path)
            }
            return (manifest, manifest.json)
        }
        for file in files { try await convert(file, &pipeline) }
        if keepsGone { try await convertGone(&pipeline) }
        try await pipeline.finish()
        count(&pipeline)
        try pipeline.add(prologue: try export.contents.prologue())
        // The samples must match the manifest, because the container gets the same one.
        for span in export.manifest.spans where sums[span.key] ?? IdentitySum() != span.identity {
            throw VaultError(.manifestMismatch, path: EntryPath.batch(span.key))
        }
        if keepsGone || export.manifest.gone.isEmpty { return (export.manifest, export.manifestText) }
        var manifest = export.manifest
        manifest.gone = Manifest.Gone()
        return (manifest, manifest.json)
    }

    /// Whether to include samples and files that only earlier exports had.
    private var keepsGone: Bool { converter.source.gone != nil && !converter.mirroring }

    private mutating func convertGone(_ pipeline: inout EntryPipeline) async throws {
        guard let gone = converter.source.gone else { return }
        var cursor = ChainCursor()
        for batch in gone.groups.flatMap(\.batches) {
            var samples = try gone.samples(of: batch.key, &cursor)
            samples.isGone = true
            try await pipeline.add(.read(samples))
            try report()
        }
        for file in export.manifest.gone.files { try await convert(file, &pipeline) }
    }

    private mutating func convert(
        _ batches: [StoredExport.Batch], _ pipeline: inout EntryPipeline, _ processors: Processors
    ) async throws {
        let (contents, filter) = (export.contents, part?.filter)
        var decoding = EntryDecoding<Work, SampleBatch>(on: processors) { decoder, work, bounds in
            let batch = try contents.batch(work.bytes, work.key, decoder, within: bounds)
            return filter?.rows(of: batch) ?? batch
        }
        var cursor = ChainCursor()
        var read: [SampleBatch] = []
        for batch in batches {
            progress.subject = batch.key.type.isEmpty ? batch.key.element : batch.key.type
            let work = Work(key: batch.key, bytes: try contents.bytes(of: batch.key, &cursor))
            try await decoding.submit(work) { read.append($0) }
            for batch in read where batch.count > 0 { try await pipeline.add(.read(batch)) }
            read = []
            count(&pipeline)
            progress.done += work.bytes.count
            try report()
        }
        try await decoding.finish { read.append($0) }
        for batch in read where batch.count > 0 { try await pipeline.add(.read(batch)) }
    }

    private mutating func convert(_ file: Manifest.File, _ pipeline: inout EntryPipeline) async throws {
        progress.subject = file.name.description
        let pieces = try export.contents.pieces(ofFileAt: file.path)
        var number = 0
        while let piece = try pieces.next() {
            try await pipeline.add(piece, number: number, of: file.path)
            number += 1
            progress.done += piece.count
            try report()
        }
        try await pipeline.endFile(file.path)
    }

    private mutating func count(_ pipeline: inout EntryPipeline) {
        for batch in pipeline.removeWritten() where !batch.facts.isGone {
            sums[batch.facts.key.ofSpan, default: IdentitySum()].add(batch.facts.identity)
            part?.add(batch.facts)
        }
    }

    private func report() throws {
        converter.progress(progress)
        try VaultError.checkInterruption(of: converter.target, converter.isInterrupted)
    }
}
