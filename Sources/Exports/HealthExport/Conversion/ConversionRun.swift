import ArchiveWriting
import ByteText
import HealthArchive
import HealthFHIR
import HealthFormats
import HealthModel
import SampleBatches
import SystemIO
import VaultCrypto

/// A pass over a stored export that writes its batches in all formats.
struct ConversionRun {
    private let converter: Converter
    private let export: StoredExport
    private let output: FormatOutput
    private var part: SelectedPart?
    private let writers: [(format: ExportFormat, writer: any FormatWriter)]
    private let singleName: BytePath?
    private let hasLines: Bool
    /// Whether the side files are copied to the folder unchanged.
    private let hasFiles: Bool
    private var counts: [SampleBatch.Key: Int] = [:]
    /// The identities of all samples by span, if the source is not authenticated.
    private var sums: [SampleBatch.Key: IdentitySum] = [:]
    private var progress = VaultProgress()
    /// The number of electrocardiograms of a part.
    private var recordings = 0

    /// The result of a run.
    struct Written {
        let manifest: Manifest
        let manifestText: [UInt8]
        let formats: [Manifest.Format]
    }

    init(
        _ converter: Converter, _ export: StoredExport, _ output: FormatOutput, _ singleName: BytePath?
    ) throws {
        self.converter = converter
        self.export = export
        self.output = output
        self.singleName = singleName
        part = try converter.selection.map { try SelectedPart($0, of: export) }
        hasLines = converter.formats.contains(.ndjson)
        hasFiles = hasLines || converter.formats.contains(.csv)
        writers = try converter.formats.compactMap { format in
            let path = singleName ?? format.fileName ?? ""
            let writer: (any FormatWriter)? =
                switch format {
                case .ndjson: nil
                case .json: JSONDocumentWriter(output, path: path)
                case .csv:
                    CSVWriter(output, folder: "csv") { element, type in
                        EntryPath.type(element: element, type: type)
                    }
                case .sqlite: try output.database(path, days: try export.manifest.days())
                case .appleXML: nil
                case .fhir: FHIRWriter(output, folder: "fhir", converter.fhir)
                }
            return writer.map { (format, $0) }
        }
    }

    /// The identifiers of requested types that have no samples in the source.
    var absentTypes: [String] {
        (part?.absentTypes ?? []).filter {
            recordings == 0 || $0 != AnySampleType.electrocardiogram.identifier
        }
    }

    /// A batch encoded in all formats.
    private struct Encoded: Sendable {
        let key: SampleBatch.Key
        let count: Int
        /// The identities of all its rows, if the source is not authenticated.
        let sum: IdentitySum?
        /// The facts about the selected rows.
        let facts: BatchFacts?
        let lines: EncodedEntry?
        let rows: [EncodedRows]
    }

    /// The encoders of all formats, used by one worker at a time.
    private final class Encoders: Sendable {
        private let all: [(takesUnits: Bool, encoder: any FormatEncoder)]
        /// The units for formats that take others than those of the source; nil if none is asked to.
        private let units: ConvertedUnits?

        init(_ all: [(takesUnits: Bool, encoder: any FormatEncoder)], _ units: ConvertedUnits?) {
            self.all = all
            self.units = all.contains(where: \.takesUnits) ? units : nil
        }

        /// Encodes a batch in all formats.
        func encode(_ batch: SampleBatch) throws -> [EncodedRows] {
            let converted = try units?.batch(batch) ?? batch
            return try all.map { try $0.encoder.encode($0.takesUnits ? converted : batch) }
        }
    }

    mutating func convert() async throws -> Written {
        let batches = wantedBatches()
        progress.total = batches.total { export.contents.length(of: $0.key) }
        if part == nil {
            progress.total = LengthSum.of(progress.total ?? 0, export.manifest.files.total(\.length))
        }
        // Apple's document is written in source order, in a separate pass. The other pass counts the samples of a
        // part, and detects changes.
        let isOnlyDocument = converter.formats == [.appleXML] && part == nil && export.contents.isAuthentic
        if !isOnlyDocument { try await convert(batches) }
        try checkSums()
        if part == nil {
            if !isOnlyDocument { try checkCounts() }
            try convertPrologue()
            try convertFiles()
        } else {
            try convertRecordings()
        }
        var losses: FormatLosses?
        if converter.formats.contains(.appleXML) {
            let name = singleName ?? ExportFormat.appleXML.fileName ?? ""
            var run = DocumentRun(converter, export, part?.filter, output, name)
            losses = try await run.convert(batches)
        }
        return try finish(losses)
    }

    /// Returns the batches to read, in the order of kinds, types and spans.
    private func wantedBatches() -> [StoredExport.Batch] {
        let groups = export.groups.map { ($0, FormatSection(element: $0.element, type: $0.type)) }
        return groups.enumerated()
            .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
            .flatMap { $0.element.0.batches.filter { part?.mayHold($0) ?? true } }
    }

    private mutating func convert(_ batches: [StoredExport.Batch]) async throws {
        let makers = writers.map { ($0.format.takesUnits, $0.writer.makeEncoder) }
        let units = converter.units.map { ConvertedUnits($0) }
        let pool = Pool { Encoders(makers.map { ($0, $1()) }, units) }
        let (isAuthentic, filter) = (export.contents.isAuthentic, part?.filter)
        let files = hasLines ? output.destination?.files : nil
        try await export.read(batches, on: Processors(count: converter.settings.jobs - 1)) { whole, decoder in
            let batch = filter?.rows(of: whole) ?? whole
            let facts = filter == nil || batch.count == 0 ? nil : try BatchFacts(batch)
            return Encoded(
                key: whole.key, count: batch.count,
                sum: isAuthentic ? nil : whole.identitySum(), facts: facts,
                lines: batch.count > 0
                    ? try files.map { try EncodedEntry(linesOf: batch, decoder, $0) } : nil,
                rows: batch.count == 0 ? [] : try pool.with { try $0.encode(batch) })
        } use: {
            try write($0)
        } didRead: { key, length in
            progress.subject = key.type.isEmpty ? key.element : key.type
            progress.done += length
            try report()
        }
    }

    private func report() throws {
        converter.settings.progress(progress)
        try converter.settings.checkInterruption(of: converter.target)
    }

    private mutating func write(_ encoded: Encoded) throws {
        var span = encoded.key
        span.part = 0
        counts[span, default: 0] += encoded.count
        if let sum = encoded.sum { sums[span, default: IdentitySum()].add(sum) }
        guard encoded.count > 0 else { return }
        if let facts = encoded.facts { part?.add(facts) }
        if let lines = encoded.lines { _ = try output.destination?.add(lines) }
        for (target, rows) in zip(writers, encoded.rows) { try target.writer.add(rows, of: encoded.key) }
    }

    /// Checks that the rows of the batches match the manifest.
    private func checkSums() throws(VaultError) {
        for span in export.manifest.spans {
            guard let sum = sums[span.key], sum != span.identity else { continue }
            throw VaultError(.manifestMismatch, path: EntryPath.batch(span.key))
        }
    }

    /// Checks that the row counts of the batches match the manifest.
    private func checkCounts() throws(VaultError) {
        for span in export.manifest.spans where counts[span.key] ?? 0 != span.identity.count {
            // A span has no batches if all of them failed.
            throw VaultError(.manifestMismatch, path: EntryPath.batch(span.key))
        }
    }

    private func convertPrologue() throws {
        guard hasLines else { return }
        let prologue = try export.contents.prologue()
        guard !prologue.isEmpty else { return }
        _ = try output.destination?.add(
            EncodedEntry(
                name: EntryPath.prologue, bytes: prologue, sha256: try SHA256.digest(of: prologue.span)))
    }

    private mutating func convertFiles() throws {
        let contents = export.contents
        for file in export.manifest.files {
            progress.subject = file.name.description
            if hasFiles, let destination = output.destination {
                try contents.forEachPiece(ofFileAt: file.path) { piece in
                    _ = try destination.add(EncodedEntry(name: file.path, bytes: piece, sha256: []))
                }
                try destination.endFile(file.path)
            }
            let described = FormatFile(name: file.name, path: file.path, length: file.length)
            for (_, writer) in writers {
                try writer.add(described) { body in
                    try contents.forEachPiece(ofFileAt: file.path, body)
                }
            }
            progress.done += file.length
            try report()
        }
    }

    /// Converts the selected electrocardiograms, which are samples in FHIR; in other formats, a part has no files.
    private mutating func convertRecordings() throws {
        guard let filter = part?.filter, let writer = writers.first(where: { $0.format == .fhir })?.writer
        else { return }
        let contents = export.contents
        for file in export.manifest.files where SideFileKind(file.name) == .electrocardiogram {
            let described = FormatFile(name: file.name, path: file.path, length: file.length)
            let bytes = try described.bytes { body in
                try contents.forEachPiece(ofFileAt: file.path, body)
            }
            let recording = bytes.flatMap { try? Electrocardiogram(csv: $0, path: "\(file.name)") }
            guard filter.coversElectrocardiogram(from: recording?.recordedDate) else { continue }
            recordings += 1
            try writer.add(described) { body in try contents.forEachPiece(ofFileAt: file.path, body) }
        }
    }

    private mutating func finish(_ documentLosses: FormatLosses?) throws -> Written {
        var manifest = export.manifest
        var text = export.manifestText
        if var part {
            manifest = part.manifest()
            guard !manifest.spans.isEmpty || recordings > 0 else {
                throw VaultError(.nothingSelected, path: converter.source.path)
            }
            text = manifest.json
        }
        let facts = FormatFacts(
            manifest: text, exportDate: manifest.exportDate, sampleCount: manifest.sampleCount)
        var formats: [Manifest.Format] = []
        for format in converter.formats {
            var listed = Manifest.Format(format.rawValue)
            if format.takesUnits { listed.units = converter.units?.rawValue }
            if let writer = writers.first(where: { $0.format == format })?.writer {
                let losses = try writer.finish(facts)
                if format == .sqlite { try output.adopt(singleName ?? format.fileName ?? "") }
                listed.notKept = losses.notKept
                listed.asText = losses.asText
            }
            if format == .appleXML, let documentLosses { listed.notKept = documentLosses.notKept }
            formats.append(listed)
        }
        if converter.formats != [.ndjson] { text = Manifest.text(text, adding: formats) }
        return Written(manifest: manifest, manifestText: text, formats: formats)
    }
}

extension EncodedEntry {
    /// Writes a batch to its file in a plain folder.
    fileprivate init(linesOf batch: SampleBatch, _ decoder: BatchDecoder, _ files: FolderFiles) throws {
        let name = EntryPath.batch(batch.key) + EntryPath.linesSuffix
        try self.init(to: files, as: name, batch: try BatchFacts(batch)) { write in
            try decoder.forEachPiece(of: batch, write)
        }
    }
}

extension FormatOutput {
    /// Creates a database in the unfinished folder; ``adopt(_:)`` completes it.
    fileprivate func database(_ path: BytePath, days: Days) throws -> DatabaseWriter {
        try folder.open(path, .create).close()
        let folder = try Folder.canonical(self.path(of: "."))
        return try DatabaseWriter(
            filling: folder / path, application: ReplaceableFile.applicationIdentifier, days: days,
            temporary: folder)
    }
}
