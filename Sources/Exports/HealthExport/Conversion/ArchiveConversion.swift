import ArchiveWriting
import ByteText
public import HealthArchive
import SampleBatches
import SystemIO
public import VaultCrypto

extension Converter {
    /// Writes the source, or a part of it, as an encrypted container; ``formats`` is ignored.
    ///
    /// No unencrypted byte is written to disk.
    ///
    /// - Parameter passphrase: The passphrase that will open the container.
    /// - Throws: `VaultError`, `nothingSelected` if the selection contains no samples; nothing new is then left at
    ///   the target's path.
    public func encrypt(passphrase: consuming Passphrase) async throws(VaultError) -> Summary {
        let start = SystemClock.uptime()
        do {
            try settings.checkIterations()
            try checkContainer()
            try checkSource()
            let prepared = try await prepared(in: OpenFolder(holding: target))
            let export = prepared.export
            var setup = ContainerSetup(
                target, SessionDescription(export.manifest, tool: settings.tool), modified: export.modified,
                settings)
            setup.replacing = replacing
            let destination = try setup.begin(passphrase)
            var absentTypes = prepared.absentTypes
            let manifest = try await destination.complete(target, settings) {
                do {
                    var run = try ArchiveConversion(prepared.converter, export, destination)
                    absentTypes += run.absentTypes
                    return try await run.convert()
                } catch { throw VaultError.wrapping(error, reading: source.path, writing: target) }
            }
            return Summary(
                manifest: manifest, formats: [], absentTypes: absentTypes, files: 1,
                size: destination.size, seconds: SystemClock.uptime() - start, leftBehind: nil,
                leftOut: prepared.leftOut)
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
        _ converter: Converter, _ export: StoredExport, _ destination: ContainerDestination
    ) throws {
        self.converter = converter
        self.export = export
        self.destination = destination
        part = try converter.selection.map { try SelectedPart($0, of: export) }
        // Of a copy that does not name its person, the length of the source is not known.
        let length = export.manifest.isPseudonymised ? nil : export.manifest.fingerprint.length
        terms = EncoderTerms(modified: export.modified, length: length)
    }

    /// The identifiers of requested types that have no samples in the source.
    var absentTypes: [String] { part?.absentTypes ?? [] }

    mutating func convert() async throws -> (manifest: Manifest, text: [UInt8]) {
        let processors = Processors(count: converter.settings.jobs - 1)
        return try await EntryPipeline.with(destination, terms, processors) { pipeline in
            try await convert(into: &pipeline, processors)
        }
    }

    private mutating func convert(
        into pipeline: inout EntryPipeline, _ processors: Processors
    ) async throws -> (manifest: Manifest, text: [UInt8]) {
        let batches = export.groups.flatMap { $0.batches.filter { part?.mayHold($0) ?? true } }
        let files = part == nil ? export.manifest.files : []
        let further = part == nil && keepsGone ? export.manifest.gone.files : []
        progress.total = LengthSum.of(
            batches.total { export.contents.length(of: $0.key) }, (files + further).total(\.length))
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
        let filter = part?.filter
        try await export.read(batches, on: processors) { batch, _ in
            filter?.rows(of: batch) ?? batch
        } use: {
            batch in
            if batch.count > 0 { try await pipeline.add(.read(batch)) }
        } didRead: { key, length in
            count(&pipeline)
            progress.subject = key.type.isEmpty ? key.element : key.type
            progress.done += length
            try report()
        }
    }

    private mutating func convert(_ file: Manifest.File, _ pipeline: inout EntryPipeline) async throws {
        progress.subject = file.name.description
        try await pipeline.add(export.contents.pieces(ofFileAt: file.path), as: file.path) { length in
            progress.done += length
            try report()
        }
    }

    private mutating func count(_ pipeline: inout EntryPipeline) {
        for batch in pipeline.removeWritten() where !batch.facts.isGone {
            sums[batch.facts.key.ofSpan, default: IdentitySum()].add(batch.facts.identity)
            part?.add(batch.facts)
        }
    }

    private func report() throws {
        converter.settings.progress(progress)
        try converter.settings.checkInterruption(of: converter.target)
    }
}
