import ArchiveManifest
import ByteSpans
package import CivilTime
package import HealthFormats
import HealthModel
package import SampleBatches
import SystemIO
package import VaultContainer

/// A batch of samples as the index of its container lists it.
package struct IndexedBatch: Sendable {
    package let key: SampleBatch.Key
    /// The number of samples.
    package let count: Int
    /// The earliest start; nil if the samples have none.
    package let first: Timestamp?
    /// The latest start.
    package let last: Timestamp?
    package let entry: ContainerEntry

    /// Reads the properties of an entry; nil if it is no batch of samples of the newest export.
    init?(_ entry: ContainerEntry) {
        guard case .batch(let name) = StoredEntry(entry.name), !name.isGone else { return nil }
        // Read at once, because each look-up of a property reads all of them.
        var (element, type, span, part): (String?, String?, String?, Int?)
        var (count, first, last): (Int?, String?, String?)
        entry.forEachProperty { name, value in
            switch (name, value) {
            case ("element", .text(let text)): element = element ?? text
            case ("type", .text(let text)): type = type ?? text
            case ("span", .text(let text)): span = span ?? text
            case ("part", .number(let number)): part = part ?? number
            case ("count", .number(let number)): count = count ?? number
            case ("first", .text(let text)): first = first ?? text
            case ("last", .text(let text)): last = last ?? text
            default: break
            }
        }
        guard let element, Manifest.isSample(element), let span, let part else { return nil }
        key = SampleBatch.Key(element: element, type: type ?? "", span: span, part: part)
        self.count = count ?? 0
        self.first = first.flatMap { Timestamp(iso: $0.utf8Span.span) }
        self.last = last.flatMap { Timestamp(iso: $0.utf8Span.span) }
        self.entry = entry
    }

    /// Returns whether its samples may start in a range; samples of days may start up to a day earlier or later.
    package func mayStart(in range: Range<Int>) -> Bool {
        guard let first, let last else { return range.lowerBound == .min }
        let slack = key.element == "ActivitySummary" ? 86_400 : 0
        return first.seconds - slack < range.upperBound
            && (range.lowerBound == .min || last.seconds + slack >= range.lowerBound)
    }
}

/// The batches of an archive by type and span, from the indices of its containers alone.
///
/// An archive is open as soon as its index is: samples can be read without its manifest, which may be larger than they are.
package struct ArchiveIndex: Sendable {
    /// The batches of one type, by span.
    package struct Group: Sendable {
        /// The identifier of the type.
        package let identifier: ExactName
        /// The parts of each span in their order, the spans from the earliest to the latest.
        package let spans: [[IndexedBatch]]
    }

    /// The types in the order of their identifiers.
    package let groups: [Group]

    package init(_ chain: ContainerChain) {
        var types: [TypeKey: [IndexedBatch]] = [:]
        for entry in chain.entries {
            guard let batch = IndexedBatch(entry) else { continue }
            types[TypeKey(element: batch.key.element, type: batch.key.type), default: []].append(batch)
        }
        var spans: [ExactName: [(first: Int, parts: [IndexedBatch])]] = [:]
        for (key, batches) in types {
            let (element, type) = (key.element.text, key.type.text)
            let name = AnySampleType.identifier(ofElement: element, type: type) ?? element
            for parts in Dictionary(grouping: batches, by: { ExactName($0.key.span) }).values {
                let first = parts.compactMap { $0.first?.seconds }.min() ?? .max
                spans[ExactName(name), default: []].append(
                    (first, parts.sorted { $0.key.part < $1.key.part }))
            }
        }
        groups = spans.map { identifier, spans in
            let sorted = spans.sorted { left, right in
                guard left.first == right.first else { return left.first < right.first }
                return left.parts[0].key < right.parts[0].key
            }
            return Group(identifier: identifier, spans: sorted.map(\.parts))
        }.sorted { $0.identifier < $1.identifier }
    }
}

extension BatchDecoder {
    /// Decodes a batch that an index lists.
    ///
    /// - Throws: `VaultError`, with `batchTooLarge` if the batch exceeds the bounds.
    package func batch(_ bytes: [UInt8], of listed: IndexedBatch, within bounds: Bounds) throws -> SampleBatch
    {
        let batch = try batch(bytes, listed.entry.name, within: bounds)
        guard batch.key == listed.key, batch.count == listed.count else {
            throw VaultError(.manifestMismatch, path: listed.entry.name)
        }
        return batch
    }

    /// Decodes some columns of a batch that an index lists, and calls `body` with them.
    ///
    /// - Returns: What `body` returns; nil if the rows must be read one by one.
    /// - Throws: `VaultError`, with `batchTooLarge` if the batch exceeds the bounds.
    package func withColumns<Result>(
        _ wanted: StoredColumns.Wanted, _ bytes: [UInt8], of listed: IndexedBatch, within bounds: Bounds,
        _ body: (StoredColumns) throws -> Result
    ) throws -> Result? {
        try withColumns(wanted, of: bytes, listed.entry.name, within: bounds) { columns in
            guard columns.key == listed.key, columns.count == listed.count else {
                throw VaultError(.manifestMismatch, path: listed.entry.name)
            }
            return try body(columns)
        }
    }
}
