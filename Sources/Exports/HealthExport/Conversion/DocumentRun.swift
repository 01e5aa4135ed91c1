import AppleHealthExport
import ArchiveManifest
import ArchiveReading
import ArchiveWriting
import ByteSpans
import CivilTime
import HealthFormats
import SampleBatches
import SystemIO

/// A pass over a stored export that writes Apple's document, with elements in source order.
///
/// It processes one window of positions at a time, with the rows in it from each batch. The samples of several exports
/// have no common order: they are written by type, start and position, one span at a time.
struct DocumentRun {
    private let converter: Converter
    private let export: StoredExport
    private let filter: RowFilter?
    private let output: FormatOutput
    private let name: BytePath

    /// The number of positions in a window, about 2 MB of XML.
    private static let windowSize = 1 << 12
    /// The number of batches from which windows are wide: each of them is decoded for each window.
    private static let manyBatches = 32
    /// The size of a wide window in bytes of XML, if its elements have the usual length.
    private static let wideLength = 1 << 23
    private static let widest = 1 << 14
    /// The maximum number of windows: enough for 2^31 elements, ten times as many as in the largest exports.
    private static let mostWindows = 1 << 19

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

    /// The rows of some batches at a range of positions.
    private struct Window: Sendable {
        let positions: Range<Int>
        let batches: [SampleBatch.Key]
        /// Whether to sort the rows by start before position.
        var isByTime = false
    }

    /// A batch and the positions of its first and last rows.
    private struct Extent {
        let key: SampleBatch.Key
        let positions: ClosedRange<Int>
    }

    /// Writes the document and, if it goes into a zip, the side files.
    ///
    /// - Returns: What the output lacks.
    mutating func convert(
        _ batches: [StoredExport.Batch]
    ) async throws -> FormatLosses {
        var losses = FormatLosses()
        let windows = try export.manifest.exports > 1 ? spans(of: batches) : windows(extents(of: batches))
        if name.hasSuffix(".zip") {
            let exported = export.manifest.exported
            var zip = try ZipWriter(
                output.path(of: name), modified: exported ?? Timestamp(seconds: 0, offsetMinutes: 0),
                comment: ReplaceableFile.zipComment)
            try zip.begin(Self.folder + "export.xml")
            try await writeDocument(windows) { bytes in try zip.write(bytes.span) }
            zip.end()
            if filter == nil { losses.notKept["files"] = try addFiles(&zip) }
            try zip.finish()
            try output.adopt(name)
        } else {
            let (output, name) = (output, name)
            try await writeDocument(windows) { bytes in try output.append(bytes.span, to: name) }
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

    /// Returns the batches with rows in the document, including its required `ExportDate`.
    private func needed(_ batches: [StoredExport.Batch]) -> [StoredExport.Batch] {
        let known = Set(batches.map(\.key))
        let always = export.groups.filter { $0.element == "ExportDate" }.flatMap(\.batches)
        return always.filter { !known.contains($0.key) } + batches
    }

    /// Returns a window for each span, ordered by type and span.
    private func spans(of batches: [StoredExport.Batch]) -> [Window] {
        let (about, samples) = (["ExportDate", "Me"], needed(batches))
        let ordered =
            about.flatMap { name in samples.filter { $0.key.element == name } }
            + samples.filter { !about.contains($0.key.element) }
        var spans: [(key: SampleBatch.Key, parts: [SampleBatch.Key])] = []
        for batch in ordered {
            if spans.last?.key != batch.key.ofSpan { spans.append((batch.key.ofSpan, [])) }
            spans[spans.count - 1].parts.append(batch.key)
        }
        // The root element has the position 0.
        return spans.map {
            Window(positions: 1..<SampleBatch.positionLimit, batches: $0.parts, isByTime: true)
        }
    }

    /// Returns the batches with their positions, ordered by first row.
    private func extents(of batches: [StoredExport.Batch]) throws -> [Extent] {
        var cursor = ChainCursor()
        return try needed(batches)
            .map { batch in
                if let positions = export.contents.positions(of: batch.key) {
                    return Extent(key: batch.key, positions: positions)
                }
                let samples = try export.samples(of: batch.key, &cursor)
                return Extent(
                    key: batch.key,
                    positions: ClosedRange(between: samples.firstPosition, and: samples.lastPosition))
            }
            .sorted { $0.positions.lowerBound < $1.positions.lowerBound }
    }

    private func writeDocument(
        _ windows: [Window], _ write: ([UInt8]) throws -> Void
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
        let (export, filter) = (export, filter)
        var rows = 0
        let jobs = converter.settings.jobs
        let decoding = EntryDecoding<Window, (text: [UInt8], rows: Int)>(jobs: jobs) {
            decoder, window, bounds in
            var writer = XMLRowWriter()
            var lines = XMLRowWriter.Lines()
            var times: [Int] = []
            var cursor = ChainCursor()
            for key in window.batches {
                let bytes = try export.contents.bytes(of: key, &cursor)
                let batch = try export.contents.batch(bytes, key, decoder, within: bounds)
                let isSample = key.element != "ExportDate"
                let rows = isSample ? filter?.rows(of: batch) ?? batch : batch
                try writer.write(rows, window.positions, to: &lines)
                guard window.isByTime else { continue }
                rows.forEachBatchRow { row in
                    if window.positions.contains(row.head.position) {
                        times.append(row.start?.seconds ?? .max)
                    }
                }
            }
            return (lines.sorted(by: times), lines.starts.count)
        }
        // The document of a part is of unknown length.
        let length = export.manifest.selection == nil ? export.manifest.fingerprint.length : nil
        var progress = VaultProgress(.writing, subject: "export.xml", total: length)
        try await decoding.run(windows) {
            $0
        } use: { lines in
            progress.done += lines.text.count
            rows += lines.rows
            try write(lines.text)
        } didRead: { _ in
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

    /// Returns the batch whose first row is the root element.
    private func rootBatch() throws -> SampleBatch? {
        var root: SampleBatch?
        try export.forEach(of: export.batches.filter { $0.key.element == "HealthData" }) { batch in
            if root == nil, batch.count > 0, batch.firstPosition == 0 { root = batch }
        }
        return root
    }

    /// The number of positions in a wide window.
    private var wideWindowSize: Int {
        let count = export.manifest.spans.total(\.identity.count)
        let length = export.manifest.fingerprint.length / max(1, count)
        return min(max(Self.windowSize, Self.wideLength / max(1, length)), Self.widest)
    }

    /// Divides the positions into windows, each with the batches that may have rows in it.
    ///
    /// - Throws: `manifestMismatch` if wrong positions lead to more windows than any document has.
    private func windows(_ extents: [Extent]) throws(VaultError) -> [Window] {
        var windows: [Window] = []
        var active: [Extent] = []
        var next = 0
        // The root element has the position 0.
        var start = 1
        let wide = wideWindowSize
        while next < extents.count || !active.isEmpty {
            if active.isEmpty { start = max(start, extents[next].positions.lowerBound) }
            guard windows.count < Self.mostWindows, start < SampleBatch.positionLimit else {
                throw VaultError(.manifestMismatch, path: export.path)
            }
            let end = start + (active.count < Self.manyBatches ? Self.windowSize : wide)
            while next < extents.count, extents[next].positions.lowerBound < end {
                active.append(extents[next])
                next += 1
            }
            windows.append(Window(positions: start..<end, batches: active.map(\.key)))
            active.removeAll { $0.positions.upperBound < end }
            start = end
        }
        return windows
    }
}
