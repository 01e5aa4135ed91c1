package import ByteText
import HealthModel
import SampleBatches

/// The part of an export that a selection covers, and the counts of what was written.
package struct SelectedPart {
    private let selection: Manifest.Selection
    package let filter: RowFilter
    /// The time after which no sample starts; nil for no limit.
    package var until: Timestamp? { selection.until }
    /// The description of the source in the export's manifest.
    private let source: Manifest
    /// The identifiers that were requested individually and have no samples in the export.
    package let absentTypes: [String]
    private var tally = ManifestTally()
    private var parts: [SampleBatch.Key: [Int]] = [:]

    /// Resolves a selection for an export, which may itself be a part of another one.
    ///
    /// - Throws: `VaultError` if a name is not that of a type; `SystemError` if the file of the zone cannot be read.
    package init(_ wanted: SampleSelection, of export: StoredExport) throws {
        source = export.manifest
        let samples = export.groups.filter { Manifest.isSample($0.element) }
        let held = Set(samples.map(\.identifier))
        let days = try source.days()
        let selection = try wanted.resolved(held: held, days: days, now: source.now)
        self.selection = source.selection.map { selection.intersection($0) } ?? selection
        filter = RowFilter(self.selection, days)
        absentTypes = (wanted.types ?? []).compactMap { name in
            guard case .type(let type) = name, !held.contains(ExactName(type.identifier)) else { return nil }
            return type.identifier
        }
    }

    /// Returns whether a batch may contain selected samples.
    package func mayHold(_ batch: StoredExport.Batch) -> Bool {
        filter.covers(element: batch.key.element, type: batch.key.type)
            && filter.mayCover(element: batch.key.element, first: batch.first, last: batch.last)
    }

    /// Adds a batch with the selected rows.
    package mutating func add(_ batch: BatchFacts) {
        tally.add(batch)
        var span = batch.key
        span.part = 0
        parts[span, default: []].append(batch.key.part)
    }

    /// Returns the manifest of what was added.
    package mutating func manifest() -> Manifest {
        var manifest = tally.finish()
        manifest.selection = selection
        manifest.fingerprint = source.fingerprint
        manifest.exportDate = source.exportDate
        manifest.locale = source.locale
        manifest.zone = source.zone
        manifest.documentType = source.documentType
        manifest.isTruncated = source.isTruncated
        manifest.isPseudonymised = source.isPseudonymised
        manifest.skipped = source.skipped
        manifest.batching = source.batching
        manifest.exports = source.exports
        // Samples that were not selected do not count as read.
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

extension Manifest.Selection {
    /// Returns the selection of the samples that are in both selections.
    func intersection(_ other: Manifest.Selection) -> Manifest.Selection {
        var both = self
        if let theirs = other.types {
            let known = Set(theirs.map { ExactName($0) })
            both.types = types?.filter { known.contains(ExactName($0)) } ?? theirs
        }
        let excluded = Set((excludedTypes + other.excludedTypes).map { ExactName($0) })
        both.excludedTypes = excluded.sorted().map(\.text)
        both.since.raise(to: other.since)
        both.until.lower(to: other.until)
        return both
    }
}
