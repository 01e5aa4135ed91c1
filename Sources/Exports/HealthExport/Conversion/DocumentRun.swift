import AppleHealthExport
import ArchiveWriting
import ByteText
import HealthArchive
import HealthFormats
import SampleBatches
import SystemIO

/// A pass over a stored export that writes Apple's document, with elements in source order.
///
/// ``DocumentOrder`` says how the rows of all batches get into this order.
struct DocumentRun {
    private let converter: Converter
    private let export: StoredExport
    private let filter: RowFilter?
    private let output: FormatOutput
    private let name: BytePath

    /// Creates a run that writes the document, or a zip with it, to a file in the unfinished folder.
    init(
        _ converter: Converter, _ export: StoredExport, _ filter: RowFilter?, _ output: FormatOutput,
        _ name: BytePath
    ) {
        self.converter = converter
        self.export = export
        self.filter = filter
        self.output = output
        self.name = name
    }

    /// Writes the document and, if it goes into a zip, the side files.
    ///
    /// - Returns: What the output lacks.
    mutating func convert(
        _ batches: [StoredExport.Batch]
    ) async throws -> FormatLosses {
        var losses = FormatLosses()
        let order = try DocumentOrder(export, batches)
        if name.hasSuffix(".zip") {
            let exported = export.manifest.exported
            var zip = try ZipWriter(
                output.path(of: name), modified: exported ?? Timestamp(seconds: 0, offsetMinutes: 0),
                comment: ReplaceableFile.zipComment)
            try zip.begin(Self.folder + "export.xml")
            try await writeDocument(order) { bytes in try zip.write(bytes.span) }
            zip.end()
            if filter == nil { losses.notKept["files"] = try addFiles(&zip) }
            try zip.finish()
            try output.adopt(name)
        } else {
            let (output, name) = (output, name)
            try await writeDocument(order) { bytes in try output.append(bytes.span, to: name) }
            try output.end(name)
            let files = export.manifest.files.count
            if filter == nil, files > 0 { losses.notKept["files"] = files }
        }
        return losses
    }

    private static let folder: BytePath = "apple_health_export/"

    /// Adds the side files at their original paths.
    ///
    /// - Returns: The number of files that cannot be added; nil if there are none.
    private func addFiles(_ zip: inout ZipWriter) throws -> Int? {
        var refused = 0
        // What a computer with Windows or macOS would confuse when it unpacks the zip is left out.
        var taken: Set = [FoldedPath(Self.folder + "export.xml")]
        for file in export.manifest.files {
            let path = Self.folder + file.name
            guard taken.insert(FoldedPath(path)).inserted, !EntryPath.isReserved(file.name) else {
                refused += 1
                continue
            }
            do throws(ExportError) { try zip.begin(path) } catch {
                // The name is unsafe, or is already in the zip.
                refused += 1
                continue
            }
            try export.contents.forEachPiece(ofFileAt: file.path) { piece in try zip.write(piece.span) }
            zip.end()
            try converter.settings.checkInterruption(of: converter.target)
        }
        return refused > 0 ? refused : nil
    }

    private func writeDocument(
        _ order: DocumentOrder, _ write: ([UInt8]) throws -> Void
    ) async throws {
        let prologue = try export.contents.prologue()
        // A part has no prologue, and only the facts about the export that are in its manifest.
        let isPart = export.manifest.selection != nil
        try write(prologue.isEmpty && isPart ? XMLRowWriter.declaration : prologue)
        let root = try rootBatch()
        try write(XMLRowWriter.rootTag(root, locale: export.manifest.locale))
        if isPart, !export.manifest.exportDate.isEmpty {
            try write(XMLRowWriter.exportDate(export.manifest.exportDate))
        }
        // The document of a part is of unknown length.
        let length = isPart ? nil : export.manifest.fingerprint.length
        var progress = VaultProgress(.writing, subject: "export.xml", total: length)
        var rows = 0
        try await forEachText(order) { text, count in
            progress.done += text.count
            rows += count
            try write(text)
            converter.settings.progress(progress)
            try converter.settings.checkInterruption(of: converter.target)
        }
        // The positions of a batch in the entry list may be wrong.
        let wanted = export.manifest.spans.total(\.identity.count) - (root == nil ? 0 : 1)
        guard filter != nil || rows == wanted else {
            throw VaultError(.manifestMismatch, path: export.path)
        }
        try write(XMLRowWriter.rootEnd)
    }

    /// Passes on the text of the elements and their number, in pieces.
    private func forEachText(
        _ order: DocumentOrder, _ use: (_ text: [UInt8], _ count: Int) throws -> Void
    ) async throws {
        let jobs = converter.settings.jobs
        switch order {
        case .windows(let windows):
            let (export, filter) = (export, filter)
            let decoding = EntryDecoding<DocumentOrder.Window, Text>(jobs: jobs) { decoder, window, bounds in
                try Self.text(of: window, export, filter, decoder, bounds)
            }
            try await decoding.run(windows) {
                $0
            } use: {
                try use($0.bytes, $0.rows)
            } didRead: { _ in
            }
        case .interleaved(let batches, let positions):
            let spool = try await spooled(batches, positions)
            var workers = OrderedWorkers<Int, Text>(Processors(count: jobs - 1)) { part in
                let (text, count) = try spool.elements(ofPart: part)
                return Text(bytes: text, rows: count)
            }
            do {
                for part in 0..<spool.partCount {
                    try await workers.submit(part) { try use($0.bytes, $0.rows) }
                }
                try await workers.finish { try use($0.bytes, $0.rows) }
            } catch {
                await workers.drain()
                throw error
            }
        }
    }

    /// The text of some elements, in the order in which they are written, and their number.
    private struct Text: Sendable {
        let bytes: [UInt8]
        let rows: Int
    }

    /// Decodes the rows of a window.
    private static func text(
        of window: DocumentOrder.Window, _ export: StoredExport, _ filter: RowFilter?,
        _ decoder: BatchDecoder,
        _ bounds: BatchDecoder.Bounds
    ) throws -> Text {
        var writer = XMLRowWriter()
        var lines = XMLRowWriter.Lines()
        var times: [Int] = []
        var cursor = ChainCursor()
        for key in window.batches {
            let bytes = try export.contents.bytes(of: key, &cursor)
            let rows = selected(try export.contents.batch(bytes, key, decoder, within: bounds), filter)
            try writer.write(rows, window.positions, to: &lines)
            guard window.isByTime else { continue }
            rows.forEachBatchRow { row in
                if window.positions.contains(row.head.position) {
                    times.append(row.start?.seconds ?? .max)
                }
            }
        }
        return Text(bytes: lines.sorted(by: times), rows: lines.starts.count)
    }

    private static func selected(_ batch: SampleBatch, _ filter: RowFilter?) -> SampleBatch {
        batch.key.element == "ExportDate" ? batch : filter?.rows(of: batch) ?? batch
    }

    /// Decodes each batch once, and puts its rows into source order.
    private func spooled(
        _ batches: [StoredExport.Batch], _ positions: ClosedRange<Int>
    ) async throws -> ElementSpool {
        let spool = try ElementSpool(in: output.folder, positions, export.path)
        let (filter, range) = (filter, positions.lowerBound..<positions.upperBound + 1)
        var progress = VaultProgress(.reading, total: batches.total { export.contents.length(of: $0.key) })
        var waiting = XMLRowWriter.Lines()
        try await export.read(batches, on: Processors(count: converter.settings.jobs - 1)) { batch, _ in
            var writer = XMLRowWriter()
            var lines = XMLRowWriter.Lines()
            try writer.write(Self.selected(batch, filter), range, to: &lines) { lines in
                try spool.addIfLong(&lines)
            }
            // Without the room of a run.
            var rest = XMLRowWriter.Lines()
            rest.append(lines)
            return rest
        } use: { lines in
            waiting.append(lines)
            try spool.addIfLong(&waiting)
        } didRead: { key, length in
            progress.subject = key.type.isEmpty ? key.element : key.type
            progress.done += length
            converter.settings.progress(progress)
            try converter.settings.checkInterruption(of: converter.target)
        }
        try spool.add(waiting)
        return spool
    }

    /// Returns the batch whose first row is the root element.
    private func rootBatch() throws -> SampleBatch? {
        var root: SampleBatch?
        try export.forEach(of: export.batches.filter { $0.key.element == "HealthData" }) { batch in
            if root == nil, batch.count > 0, batch.firstPosition == 0 { root = batch }
        }
        return root
    }
}
