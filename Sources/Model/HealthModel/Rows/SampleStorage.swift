public import ByteText
public import SampleBatches
import Synchronization

/// The batches behind some samples, and the places of their rows in the order in which they are returned.
///
/// Samples are views of these rows: creating one copies nothing.
@usableFromInline
final class SampleStorage: Sendable {
    /// A batch with its decoded contexts.
    @usableFromInline
    final class Part: Sendable {
        @usableFromInline let batch: SampleBatch
        @usableFromInline let contexts: [SampleContext]
        /// The identities of the rows, once one was requested.
        private let known = Mutex<RowIdentities?>(nil)

        /// Returns the identity of the row that starts at a cell.
        func identity(at cell: Int) -> UInt128 {
            known.withLock { known in
                if known == nil { known = RowIdentities(batch) }
                // Used in its place: a copy would cost more than the identity.
                return known?.identity(at: cell) ?? 0
            }
        }

        init(_ batch: SampleBatch, _ known: SampleContexts) {
            self.batch = batch
            contexts = batch.contexts.map { known.context($0) }
        }
    }

    /// The place of a sample.
    @usableFromInline
    struct Place: Sendable {
        /// The number of its part.
        @usableFromInline let part: Int
        /// The cell with which its row starts.
        @usableFromInline let cell: Int
        let position: Int
        /// The start in seconds; `Int.min` if it has none.
        @usableFromInline let start: Int
    }

    @usableFromInline let parts: [Part]
    @usableFromInline let places: [Place]
    /// Number of samples that are returned; the rest, beyond the limit, may contain exact duplicates of these.
    @usableFromInline let count: Int
    /// The type of the samples.
    let type: AnySampleType
    /// Whether samples with the same start are adjacent.
    private let isByStart: Bool
    /// The indices of the places by start, created on first use for places that are not in this order.
    private let indices = Mutex<[Int: [Int]]?>(nil)
    /// The ordinals of the samples with one start, by position, those that are not 0: the last that were requested.
    private let ordinals = Mutex<(start: Int, ordinals: [Int: Int])?>(nil)

    /// The number of samples with one start up to which they are compared one by one.
    private static let few = 16

    /// Returns the identity of a sample.
    func identity(at place: Place) -> UInt128 { parts[place.part].identity(at: place.cell) }

    /// Returns the number of samples before a sample in the source that have its identity.
    func ordinal(at index: Int, of identity: UInt128) -> Int {
        let place = places[index]
        if isByStart, let few = adjacentPlaces(startingWith: index, limit: Self.few) {
            var ordinal = 0
            for other in few
            where places[other].position < place.position && self.identity(at: places[other]) == identity {
                ordinal += 1
            }
            return ordinal
        }
        return ordinals.withLock { known in
            if known?.start != place.start { known = (place.start, ordinals(startingWith: index)) }
            return known?.ordinals[place.position] ?? 0
        }
    }

    /// Returns the places with the same start as a sample, which are adjacent; nil if they are more than a limit.
    private func adjacentPlaces(startingWith index: Int, limit: Int = .max) -> Range<Int>? {
        let start = places[index].start
        var (first, end) = (index, index + 1)
        while end - first <= limit, first > 0, places[first - 1].start == start { first -= 1 }
        while end - first <= limit, end < places.count, places[end].start == start { end += 1 }
        return end - first <= limit ? first..<end : nil
    }

    /// Returns the ordinals of all samples that start with a sample, by position.
    private func ordinals(startingWith index: Int) -> [Int: Int] {
        let same = placesStarting(with: index)
        guard same.count > 1 else { return [:] }
        var counts: [UInt128: Int] = [:]
        var ordinals: [Int: Int] = [:]
        for place in same.sorted(by: { $0.position < $1.position }) {
            let identity = identity(at: place)
            let ordinal = counts[identity, default: 0]
            if ordinal > 0 { ordinals[place.position] = ordinal }
            counts[identity] = ordinal + 1
        }
        return ordinals
    }

    /// Returns the places of the samples with the same start as a sample.
    private func placesStarting(with index: Int) -> [Place] {
        if isByStart, let same = adjacentPlaces(startingWith: index) { return Array(places[same]) }
        return indices.withLock { indices in
            let known = indices ?? Dictionary(grouping: places.indices) { places[$0].start }
            indices = known
            return (known[places[index].start] ?? []).map { places[$0] }
        }
    }

    /// Creates the storage of some rows of one span.
    ///
    /// - Parameters:
    ///   - batches: The parts of the span.
    ///   - order: The order of the samples.
    ///   - limit: The maximum number of samples; nil for all.
    ///   - contexts: The contexts of other spans, most of which are those of this one as well.
    ///   - isWanted: Returns whether to include a row; receives the number of its part, the part and the row. If nil,
    ///     all rows are included.
    init(
        _ batches: [SampleBatch], _ order: Order = .source, limit: Int? = nil,
        contexts: SampleContexts = SampleContexts(),
        where isWanted: ((Int, Part, RowPlace) -> Bool)? = nil
    ) {
        parts = batches.map { Part($0, contexts) }
        let key = batches.first?.key
        let identifier = key.flatMap {
            AnySampleType.identifier(ofElement: $0.element, type: $0.type)
        }
        type = AnySampleType(identifier ?? key?.element ?? "")
        var places: [Place] = []
        places.reserveCapacity(batches.total(\.count))
        for (number, part) in parts.enumerated() {
            part.batch.forEachPlace { row in
                if let isWanted, !isWanted(number, part, row) { return }
                places.append(
                    Place(
                        part: number, cell: row.cell, position: row.position, start: row.start ?? .min))
            }
        }
        if order != .source, !Self.isSorted(places) {
            places.sort { ($0.start, $0.position) < ($1.start, $1.position) }
        }
        if order == .newestStart { places.reverse() }
        self.places = places
        isByStart = order != .source
        count = min(limit ?? .max, places.count)
    }

    /// The order of samples.
    enum Order: Sendable {
        /// As in the source.
        case source
        /// By start; ties in the order of the source.
        case start
        /// By start, the latest first.
        case newestStart
    }

    private static func isSorted(_ places: [Place]) -> Bool {
        var last = (start: Int.min, position: Int.min)
        for place in places {
            if place.start < last.start || place.start == last.start && place.position < last.position {
                return false
            }
            last = (place.start, place.position)
        }
        return true
    }
}

extension SampleStorage.Part {
    /// Returns the instant in a field of the row that starts at a cell.
    @inlinable
    func time(_ field: ContextFields.Field?, _ context: SampleContext, at cell: Int) -> Timestamp? {
        switch field {
        case .time(let count, let offsetMinutes)?:
            Timestamp(
                seconds: batch.seconds(at: cell, context.fields, count: count), offsetMinutes: offsetMinutes)
        case .text(let place)?: batch.time(at: cell, place)
        default: nil
        }
    }

    /// Returns the number in a field of the row that starts at a cell.
    @inlinable
    func number(_ field: ContextFields.Field?, at cell: Int) -> Double? {
        switch field {
        case .text(let place)?: batch.number(at: cell, place)
        case .constant(let token)?: DecimalText.number(ofToken: token.span, 0..<token.count)
        default: nil
        }
    }
}

/// The fields and values that are the same for all rows of a context.
@usableFromInline
package final class SampleContext: Sendable {
    /// Where the values of its rows are.
    @usableFromInline package let fields: ContextFields
    @usableFromInline let start: ContextFields.Field?
    @usableFromInline let end: ContextFields.Field?
    @usableFromInline let value: ContextFields.Field?
    let unit: HealthUnit?
    let unitText: String?
    /// Whether the unit is the same in all rows, or all have none.
    package let hasSharedUnit: Bool
    let source: Source?
    let device: Device?
    /// The attributes with metadata of a record of iOS 8; nil for other records.
    package let metadataNames: [String]?

    init(_ fields: ContextFields) {
        self.fields = fields
        start = AttributeKind.startNames.lazy.compactMap { fields[$0] }.first
        end = fields["endDate"]
        value = fields["value"]
        unitText = fields.text("unit")
        hasSharedUnit = unitText != nil || fields["unit"] == nil
        unit = unitText.flatMap { try? HealthUnit($0) }
        source = fields.sourceName.map {
            Source(name: $0, version: fields.text("sourceVersion"))
        }
        device = fields.device
        metadataNames = fields.metadataNames
    }
}

/// The contexts of the spans of a pass, each decoded once.
final class SampleContexts: Sendable {
    private let known = Mutex<[HashedBytes: SampleContext]>([:])

    /// The number of contexts that are kept; more than a phone has in years.
    private static let most = 256
    /// The length of the longest that is kept, in bytes.
    private static let longest = 1 << 12

    /// Returns a decoded context.
    func context(_ context: BatchContext) -> SampleContext {
        guard context.json.count <= Self.longest else { return SampleContext(ContextFields(context)) }
        let key = HashedBytes(context.json)
        return known.withLock { known in
            if let same = known[key] { return same }
            if known.count == Self.most { known.removeAll() }
            let decoded = SampleContext(ContextFields(context))
            known[key] = decoded
            return decoded
        }
    }
}

extension ContextFields {
    /// Returns the text of an attribute that is the same in all rows.
    package func text(_ name: String) -> String? {
        guard case .constant(let token)? = self[name] else { return nil }
        return SampleText.text(ofToken: token)
    }

    /// The name of the source.
    package var sourceName: String? { text("sourceName") ?? text(AttributeKind.sourceNameOfIOS8) }

    /// The attributes with metadata of a record of iOS 8; nil for other records.
    package var metadataNames: [String]? {
        guard self[AttributeKind.sourceNameOfIOS8] != nil, self["sourceName"] == nil else { return nil }
        return names.filter { !Self.namesOfIOS8.contains($0) }
    }

    /// The attributes of records of iOS 8 that are no metadata.
    private static let namesOfIOS8: Set<String> = [
        "type", AttributeKind.sourceNameOfIOS8, "unit", "value", "creationDate", "startDate", "endDate",
    ]

    /// The device, which is the same in all rows except for its pointer.
    package var device: Device? {
        switch self["device"] {
        case .constant(let token)?: Device(parsing: SampleText.text(ofToken: token))
        case .enclosed(_, let before, let after)?:
            // The pointer is between `before` and `after`.
            Device(
                parsing: SampleText.text(
                    ofToken: [UInt8(ascii: "\"")] + before + Array("0x0".utf8) + after + [UInt8(ascii: "\"")])
            )
        default: nil
        }
    }
}
