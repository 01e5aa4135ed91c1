package import ByteText
package import HealthFormats
import HealthModel
package import SampleBatches
import SystemIO
package import VaultContainer

/// What the index says about a batch, in the order in which it is written.
private enum BatchProperty: String, CaseIterable {
    case element, type, span, part, count, first, last

    private static let names = JSONNames<Self>()

    /// Calls `body` with each property of an entry, until it returns false.
    static func read(_ entry: ContainerEntry, _ body: (Self, ContainerProperty.Value) -> Bool) {
        entry.readProperties(names.list) { number, value in body(names.cases[number], value) }
    }
}

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

    /// Reads the properties of an entry; nil if it has no span or part, which those of this program's batches have.
    fileprivate init?(_ entry: ContainerEntry, of type: TypeKey) {
        // Read at once, because each look-up of a property reads those before it.
        var (span, part): (String?, Int?)
        var (count, first, last): (Int?, String?, String?)
        BatchProperty.read(entry) { name, value in
            switch (name, value) {
            case (.span, .text(let text)): span = span ?? text
            case (.part, .number(let number)): part = part ?? number
            case (.count, .number(let number)): count = count ?? number
            case (.first, .text(let text)): first = first ?? text
            case (.last, .text(let text)): last = last ?? text
            default: break
            }
            return true
        }
        guard let span, let part else { return nil }
        key = SampleBatch.Key(element: type.element.text, type: type.type.text, span: span, part: part)
        self.count = count ?? 0
        self.first = first.flatMap { Timestamp(iso: $0.utf8Span.span) }
        self.last = last.flatMap { Timestamp(iso: $0.utf8Span.span) }
        self.entry = entry
    }

    /// Returns whether its samples may start in a range; samples of days may start up to a day earlier or later.
    package func mayStart(in range: Range<Int>) -> Bool {
        key.mayStart(in: range, first: first, last: last)
    }
}

extension StoredExport.Batch {
    /// Returns whether its samples may start in a range; samples of days may start up to a day earlier or later.
    package func mayStart(in range: Range<Int>) -> Bool {
        key.mayStart(in: range, first: first, last: last)
    }
}

extension SampleBatch.Key {
    fileprivate func mayStart(in range: Range<Int>, first: Timestamp?, last: Timestamp?) -> Bool {
        guard let first, let last else { return range.lowerBound == .min }
        let slack = element == "ActivitySummary" ? 86_400 : 0
        return first.seconds - slack < range.upperBound
            && (range.lowerBound == .min || last.seconds + slack >= range.lowerBound)
    }
}

/// The batches of an archive by type and span, from the indices of its containers alone.
///
/// An archive is open as soon as its index is: samples can be read without its manifest, which may be larger than they are.
/// Of each batch only the type is read until its type is asked for.
package struct ArchiveIndex: Sendable {
    /// The entries of each type, by its identifier.
    private var entries: [ExactName: [(type: TypeKey, entry: ContainerEntry)]] = [:]

    package init(_ chain: ContainerChain) {
        // Batches of a type are mostly next to each other.
        var last: (type: TypeKey, entries: [ContainerEntry])?
        for entry in chain.entries {
            guard let type = Self.type(of: entry) else { continue }
            if last?.type != type {
                add(last)
                last = (type, [])
            }
            last?.entries.append(entry)
        }
        add(last)
    }

    private mutating func add(_ run: (type: TypeKey, entries: [ContainerEntry])?) {
        guard let (type, run) = run,
            let identifier = AnySampleType.identifier(ofElement: type.element.text, type: type.type.text)
        else { return }
        entries[ExactName(identifier), default: []] += run.map { (type, $0) }
    }

    /// Returns the type of a batch; nil for an entry that names no element, or is no batch of the newest export.
    private static func type(of entry: ContainerEntry) -> TypeKey? {
        guard case .batch(let name) = StoredEntry(entry.name), !name.isGone else { return nil }
        var (element, type): (String?, String?)
        BatchProperty.read(entry) { name, value in
            switch (name, value) {
            case (.element, .text(let text)): element = element ?? text
            case (.type, .text(let text)): type = type ?? text
            default: break
            }
            return element == nil || type == nil
        }
        return element.map { TypeKey(element: $0, type: type ?? "") }
    }

    /// The identifiers of the types.
    package var identifiers: Set<ExactName> { Set(entries.keys) }

    /// Number of batches, whether or not they have spans.
    package var batchCount: Int { entries.values.total(\.count) }

    /// Returns the batches of a type: the parts of each span in their order, the spans from the earliest to the latest.
    package func spans(of identifier: ExactName) -> [[IndexedBatch]] {
        let batches = (entries[identifier] ?? []).compactMap { IndexedBatch($0.entry, of: $0.type) }
        let spans = Dictionary(grouping: batches) { Span($0.key) }.values.map { parts in
            let first = parts.compactMap { $0.first?.seconds }.min() ?? .max
            return (first: first, parts: parts.sorted { $0.key.part < $1.key.part })
        }
        return spans.sorted { left, right in
            guard left.first == right.first else { return left.first < right.first }
            return left.parts[0].key < right.parts[0].key
        }.map(\.parts)
    }

    /// The span of a batch: elements of several names may have the same type.
    private struct Span: Hashable {
        let element: ExactName
        let type: ExactName
        let name: ExactName

        init(_ key: SampleBatch.Key) {
            (element, type) = (ExactName(key.element), ExactName(key.type))
            name = ExactName(key.span)
        }
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
        func check(_ columns: StoredColumns) throws(VaultError) {
            guard columns.key == listed.key, columns.count == listed.count else {
                throw VaultError(.manifestMismatch, path: listed.entry.name)
            }
        }
        return try withColumns(
            wanted, of: bytes, listed.entry.name, within: bounds, checking: check, body)
    }
}
