import AppleHealthExport
import ArchiveWriting
import ByteText
import HealthArchive
import HealthFormats
import HealthModel
import SampleBatches
import SystemIO

/// A pass over an export that spools a copy of it, or of a part, that does not name its person.
///
/// All formats and archives are made of the copy as of any other export, so none can have more of the person than it has.
struct PseudonymisedExport {
    private let converter: Converter
    private let export: StoredExport
    private let person: PersonPseudonyms
    private let part: SelectedPart?
    private var tally = ManifestTally()
    private var parts: [SampleBatch.Key: Int] = [:]
    private var progress = VaultProgress()
    /// The elements that are not in the copy.
    private(set) var leftOut = 0

    init(_ converter: Converter, _ export: StoredExport, _ pseudonyms: Pseudonyms) throws {
        self.converter = converter
        self.export = export
        part = try converter.selection.map { try SelectedPart($0, of: export) }
        person = try PersonPseudonyms(
            pseudonyms, person: try Self.person(of: export, pseudonyms), days: try export.manifest.days(),
            exported: export.manifest.now?.seconds, until: part?.until?.seconds)
    }

    /// The identifiers of requested types that have no samples in the source.
    var absentTypes: [String] { part?.absentTypes ?? [] }

    /// Returns what tells the person from others.
    private static func person(of export: StoredExport, _ pseudonyms: Pseudonyms) throws -> String {
        if let person = pseudonyms.person { return "name \(person)" }
        guard pseudonyms.isKept else { return "" }
        let facts = try Inspector.characteristics(of: export)
        guard let birth = facts.dateOfBirth, let sex = facts[.biologicalSex] else {
            throw VaultError(.personUnknown, path: export.path)
        }
        return "born \(birth) \(sex)"
    }

    /// Writes the copy to a spool in a folder.
    mutating func spooled(in folder: OpenFolder) async throws -> StoredExport {
        let spool = try Spool(in: folder)
        let batches = export.batches.filter { part?.mayHold($0) ?? true }
        progress.total = batches.total { export.contents.length(of: $0.key) }
        let processors = Processors(count: converter.settings.jobs - 1)
        let terms = EncoderTerms(modified: 0, length: nil)
        try await EntryPipeline.with(spool, terms, processors) { pipeline in
            try await copy(batches, to: &pipeline, processors)
            try await pipeline.finish()
            count(&pipeline)
        }
        let manifest = try manifest()
        guard manifest.sampleCount > 0 else {
            throw VaultError(.nothingSelected, path: converter.source.path)
        }
        try spool.finish(manifest: manifest.json)
        return try spool.finished(export.path)
    }

    /// What is left of a batch.
    private struct Copy: Sendable {
        let batch: SampleBatch
        let leftOut: Int
    }

    private mutating func copy(
        _ batches: [StoredExport.Batch], to pipeline: inout EntryPipeline, _ processors: Processors
    ) async throws {
        let (filter, person) = (part?.filter, person)
        try await export.read(batches, on: processors) { whole, _ in
            let batch = filter?.rows(of: whole) ?? whole
            let copy = try batch.pseudonymised(by: person)
            // The root has nothing but the locale.
            return Copy(
                batch: copy, leftOut: batch.key.element == "HealthData" ? 0 : batch.count - copy.count)
        } use: { copy in
            leftOut += copy.leftOut
            guard copy.batch.count > 0 else { return }
            var batch = copy.batch
            let span = batch.key.ofSpan
            batch.key.part = parts[span, default: 0] + 1
            parts[span] = batch.key.part
            try await pipeline.add(.read(batch))
            count(&pipeline)
        } didRead: { key, length in
            progress.subject = key.type.isEmpty ? key.element : key.type
            progress.done += length
            converter.settings.progress(progress)
            try converter.settings.checkInterruption(of: converter.target)
        }
    }

    private mutating func count(_ pipeline: inout EntryPipeline) {
        for batch in pipeline.removeWritten() { tally.add(batch.facts) }
    }

    /// Returns the manifest of the copy, which says nothing of the source but when it was made, shifted.
    private mutating func manifest() throws -> Manifest {
        var manifest = tally.finish()
        let source = export.manifest
        manifest.exportDate = person.exportDate.map { String(decoding: $0, as: UTF8.self) } ?? ""
        manifest.zone = try ExportZone.text(tally.zones, exported: manifest.exported ?? manifest.last)
        manifest.batching = BatchOptions(span: .every(.all)).description
        manifest.isPseudonymised = true
        manifest.isTruncated = source.isTruncated || !source.skipped.isEmpty || !source.failedBatches.isEmpty
        manifest.elements = manifest.elements.mapValues {
            Manifest.Count(read: $0.written, written: $0.written)
        }
        manifest.types = manifest.types.mapValues { Manifest.Count(read: $0.written, written: $0.written) }
        return manifest
    }
}

extension SampleBatch {
    /// Returns the rows that stay in a copy that does not name its person, in one span for all times.
    fileprivate func pseudonymised(by person: PersonPseudonyms) throws -> SampleBatch {
        var key = key
        // The name of a span is a date.
        if first != nil { key.span = SpanRule.all.name(of: .all) }
        var builder = SampleBatchBuilder(key: key)
        var elements = ElementPseudonyms(of: person)
        try forEachRowTexts { row, attributes in
            var element = ElementNode(name: key.element)
            element.attributes = attributes
            if row.content > 0 {
                element.children = try ContentReader.children(of: contents[row.content - 1])
            }
            guard let kept = try elements.element(element) else { return }
            var reader = AttributeReader(element: kept.name, count: kept.attributes.count)
            for attribute in kept.attributes { reader.add(name: attribute.name, text: attribute.text) }
            let content =
                ContentWriter.json(of: kept.children).map { builder.number(ofContent: $0.json) } ?? 0
            builder.append(reader, content: content, position: row.position)
        }
        return builder.batch
    }
}
