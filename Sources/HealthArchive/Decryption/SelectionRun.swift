import HealthModel
import SampleBatches
import SystemIO
import VaultContainer
import VaultCrypto

/// Finds the selected samples of a container, and counts those that are written.
struct SelectionRun {
    private let selection: Manifest.Selection
    private let filter: RowFilter
    /// The description of the source in the container's manifest.
    private let source: Manifest
    /// The identifiers that were requested one by one and of which the archive has no samples.
    let absentTypes: [String]
    private var tally = ManifestTally()
    private var parts: [SampleBatch.Key: [Int]] = [:]
    private(set) var files = 0

    init(_ wanted: SampleSelection, of reader: ContainerChain) throws {
        source = try ManifestReader.readSource(try reader.manifest())
        let (held, newest) = Self.contents(of: reader.entries)
        let exported = Timestamp(apple: Array(source.exportDate.utf8).span)
        let days = try ExportZone.days(source.zone, exported: exported ?? newest)
        selection = try wanted.resolved(held: held, days: days, now: exported ?? newest)
        filter = RowFilter(selection, days)
        absentTypes = (wanted.types ?? []).compactMap { name in
            guard case .type(let type) = name, !held.contains(ExactName(type.identifier)) else { return nil }
            return type.identifier
        }
    }

    /// Returns the identifiers of the types in the list of entries, and the latest start.
    private static func contents(of entries: [ContainerEntry]) -> (Set<ExactName>, newest: Timestamp?) {
        var identifiers: Set<ExactName> = []
        var newest: Timestamp?
        var previous: StoredBatchProperties?
        for properties in entries.lazy.compactMap({ StoredBatchProperties($0) }) {
            newest.raise(to: properties.last)
            // Entries of one type are mostly adjacent.
            if let previous, previous.element == properties.element, previous.type == properties.type {
                continue
            }
            previous = properties
            if let identifier = AnySampleType.identifier(ofElement: properties.element, type: properties.type)
            {
                identifiers.insert(ExactName(identifier))
            }
        }
        return (identifiers, newest)
    }

    /// Returns the entries that may contain selected samples.
    func entries(of reader: ContainerChain) -> [ContainerEntry] {
        reader.entries.filter { entry in
            guard let name = StoredEntry(entry.name).batch, !name.isGone else { return false }
            // Notes are optional. A batch without one must be decrypted.
            guard let properties = StoredBatchProperties(entry) else { return true }
            return filter.covers(element: properties.element, type: properties.type)
                && filter.mayCover(
                    element: properties.element, first: properties.first, last: properties.last)
        }
    }

    /// Returns a function that makes a file of an entry, or nil if it has no selected samples.
    func encoding() -> @Sendable (BatchDecoder, EntryWork, BatchDecoder.Bounds) throws -> EncodedEntry? {
        { [filter] decoder, work, bounds in
            let batch = filter.rows(of: try decoder.batch(work.bytes, work.name, within: bounds))
            guard batch.count > 0 else { return nil }
            let name = EntryPath.batch(batch.key)
            // The manifest lists batches, and their files are found by these names.
            guard name == StoredEntry(work.name).batch?.stem else {
                throw ContainerError(.entryMismatch, entry: work.name)
            }
            let lines = decoder.lines(of: batch)
            return EncodedEntry(
                name: name + EntryPath.linesSuffix, bytes: lines, sha256: try SHA256.digest(of: lines.span),
                batch: try BatchFacts(batch))
        }
    }

    mutating func write(_ entry: EncodedEntry?, _ destination: FolderDestination) throws {
        guard let entry, let batch = entry.batch else { return }
        _ = try destination.add(entry)
        files += 1
        tally.add(batch)
        var span = batch.key
        span.part = 0
        parts[span, default: []].append(batch.key.part)
    }

    /// Returns the manifest of what was written.
    mutating func manifest() -> Manifest {
        var manifest = tally.finish()
        manifest.selection = selection
        manifest.fingerprint = source.fingerprint
        manifest.exportDate = source.exportDate
        manifest.locale = source.locale
        manifest.zone = source.zone
        manifest.documentType = source.documentType
        manifest.isTruncated = source.isTruncated
        manifest.skipped = source.skipped
        manifest.batching = source.batching
        // Samples that were not selected were not read either.
        manifest.elements = manifest.elements.mapValues {
            Manifest.Count(read: $0.written, written: $0.written)
        }
        manifest.types = manifest.types.mapValues { Manifest.Count(read: $0.written, written: $0.written) }
        for index in manifest.spans.indices {
            let numbers = (parts[manifest.spans[index].key] ?? []).sorted()
            manifest.spans[index].parts = numbers.count
            if numbers.last != numbers.count { manifest.spans[index].partNumbers = numbers }
        }
        return manifest
    }
}

/// The facts about a stored batch in the list of entries, which are known without opening it.
private struct StoredBatchProperties {
    let element: String
    let type: String
    let first: Timestamp?
    let last: Timestamp?

    init?(_ entry: ContainerEntry) {
        guard let element = entry.text("element"), let type = entry.text("type") else { return nil }
        self.element = element
        self.type = type
        first = entry.text("first").flatMap { Timestamp(iso: Array($0.utf8).span) }
        last = entry.text("last").flatMap { Timestamp(iso: Array($0.utf8).span) }
    }
}
