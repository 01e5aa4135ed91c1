import ByteText
import HealthModel
import SampleBatches
import Synchronization
import SystemIO
import VaultCrypto

/// An open archive: its manifest, and batches that are read on demand.
final class OpenArchive: Sendable {
    private let export: StoredExport
    let fingerprint: StoreFingerprint

    init(_ export: StoredExport) throws {
        self.export = export
        let text = export.manifestText
        let digest = try SHA256.digest(of: text.span)
        fingerprint = StoreFingerprint(["kind": "archive", "manifest": Hexadecimal.text(digest)])
    }

    var path: BytePath { export.path }
    var groups: [StoredExport.Group] { export.groups }
    private var manifest: Manifest { export.manifest }

    /// Returns the samples of a batch.
    ///
    /// - Parameter cursor: The position of a reader of several batches.
    func samples(of batch: StoredExport.Batch, _ cursor: inout ChainCursor) throws -> SampleBatch {
        try export.samples(of: batch.key, &cursor)
    }

    /// Where batches are decoded while others are used: more processors would wait for the one that uses them.
    private let processors = Processors(count: min(CurrentProcess.processorCount - 1, mostProcessors))
    private static let mostProcessors = 3

    /// Returns a reader of batches that decodes the next ones ahead.
    func readAhead(_ batches: ArraySlice<StoredExport.Batch>) -> ReadAhead {
        ReadAhead(export, batches, on: processors)
    }

    /// Returns the side files in a folder of the source.
    func files(in folder: String) -> [StoreFile] {
        manifest.files.enumerated().compactMap { number, file in
            guard let path = file.name.text, path.hasPrefix(folder + "/") else { return nil }
            return StoreFile(path: path, length: file.length, handle: String(number))
        }
    }

    /// Returns the bytes of a side file of at most `StoreFile.largest`.
    ///
    /// - Throws: `VaultError` if its length differs from the manifest; `HealthStoreError`.
    func bytes(of file: StoreFile) throws -> [UInt8] {
        guard let number = Int(file.handle), manifest.files.indices.contains(number) else {
            throw HealthStoreError(.noSuchFile)
        }
        let listed = manifest.files[number]
        guard listed.length <= StoreFile.largest else { throw HealthStoreError(.largeFile) }
        var bytes: [UInt8] = []
        try export.contents.forEachPiece(ofFileAt: listed.path) { piece in
            guard piece.count <= listed.length - bytes.count else {
                throw VaultError(.manifestMismatch, path: listed.path)
            }
            bytes += piece
        }
        guard bytes.count == listed.length else { throw VaultError(.manifestMismatch, path: listed.path) }
        return bytes
    }

    /// Returns the batches of a request in its order.
    ///
    /// - Parameter starts: The instants at which requested samples may start, in seconds since 1970.
    func batches(_ request: SpanRequest, starts: Range<Int>) -> [StoredExport.Batch] {
        let groups = groups.filter { request.covers(element: $0.element, type: $0.type) }
        let leading = request.leadingType.map { ExactName($0.identifier) }
        return groups.sorted { left, right in
            if left.identifier == right.identifier || left.identifier == leading {
                return left.identifier != right.identifier
            }
            return right.identifier != leading && left.identifier < right.identifier
        }.flatMap { group in
            let wanted = group.batches.filter { $0.mayStart(in: starts) }
            return request.isNewestFirst ? Self.newestFirst(wanted) : wanted
        }
    }

    /// Returns batches with the spans in reverse order and the parts of each span in order; those without a time stay
    /// last.
    private static func newestFirst(_ batches: [StoredExport.Batch]) -> [StoredExport.Batch] {
        batches.sorted { left, right in
            let (mine, theirs) = (left.first?.seconds ?? .min, right.first?.seconds ?? .min)
            return mine != theirs ? mine > theirs : left.key.part < right.key.part
        }
    }

    /// Returns the sums of the spans of some types, nil for all.
    func spanSums(of types: [AnySampleType]?) -> [SpanSum] {
        let wanted = types.map { Set($0) }
        // Batches that failed are missing until a later archive has them, with the same sum of their span.
        let failed = Set(manifest.failedBatches.map(\.key))
        return manifest.spans.compactMap { span in
            let key = span.key
            guard let name = AnySampleType.identifier(ofElement: key.element, type: key.type),
                wanted?.contains(AnySampleType(name)) ?? true
            else { return nil }
            let isWhole =
                failed.isEmpty
                || span.batchKeys(limit: manifest.batchCount).allSatisfy { !failed.contains($0) }
            return SpanSum(
                type: AnySampleType(name), isWhole ? span.identity : nil, first: span.first?.seconds,
                last: span.last?.seconds)
        }
    }

    /// The contents, once requested.
    private let known = Mutex<StoreContents?>(nil)

    func contents() throws -> StoreContents {
        if let contents = known.withLock(\.self) { return contents }
        let contents = try readContents()
        known.withLock { $0 = contents }
        return contents
    }

    /// Reads the facts about the person, which have separate batches.
    func characteristics() throws -> Characteristics {
        try Inspector.characteristics(of: export)
    }

    /// Whether samples were left out on purpose, or could not be read or written.
    var isPartial: Bool { manifest.selection != nil || manifest.isIncomplete }

    private func readContents() throws -> StoreContents {
        var contents = StoreContents()
        contents.fingerprint = fingerprint
        contents.isSelection = manifest.selection != nil
        contents.exportDate = manifest.exported
        contents.types = TypeExtent.list(Inspector.summaries(of: manifest))
        contents.sources = manifest.sources
        contents.days = try manifest.days()
        return contents
    }
}
