public import ByteText
public import SampleBatches

// Re-exports sample types, enumerations and units, so that one import is enough.

/// A sample with its type: a quantity, a category, a workout, ...
///
/// A sample is a view of a row of a batch: its properties are read on demand, and unused ones cost nothing.
public protocol HealthSample: Sendable, Hashable, Identifiable, CustomStringConvertible {
    /// The kind of types that these samples can have; nil for any.
    static var kind: AnySampleType.Kind? { get }

    /// Creates a sample from a row, which must have a type of this kind.
    init(row: SampleRow)

    /// The row.
    var row: SampleRow { get }
}

extension HealthSample {
    /// Its identifier, the same in every export of the same phone.
    public var id: SampleID { row.id }
    /// The type of the sample.
    public var sampleType: AnySampleType { row.type }
    /// The name of its element: `Record`, `Workout`, ...
    public var element: String { row.element }
    /// Its position in the source, which distinguishes it from all others of the same source.
    public var position: Int { row.position }
    /// The text of an attribute; instants are in ISO form.
    public subscript(_ name: String) -> String? { row[name] }

    /// When it starts; nil if the source does not state it in a readable form.
    @inlinable public var startDate: Timestamp? { row.startDate }
    /// When it ends; nil if the source does not state it in a readable form.
    @inlinable public var endDate: Timestamp? { row.endDate }
    /// When it was recorded.
    public var creationDate: Timestamp? { row.time("creationDate") }
    /// The app or device that recorded it.
    public var source: Source? { row.context.source }
    /// The name of the app or device that recorded it.
    public var sourceName: String? { row.context.source?.name }
    /// The version of that app or device.
    public var sourceVersion: String? { row.context.source?.version }
    /// The device that measured it.
    public var device: Device? { row.context.device }
    /// Its metadata.
    public var metadata: Metadata {
        let entries = row.hasContent ? Metadata(content: row.children).entries : []
        return Metadata(row.attributeMetadata + entries)
    }

    /// Whether both have the same element, attributes and content, wherever they come from.
    public static func == (left: Self, right: Self) -> Bool { left.row == right.row }
    /// Feeds type and start to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(row) }

    /// The type and the times, without the value.
    public var description: String {
        let times = [startDate, endDate].map { $0?.iso ?? "?" }
        return "\(sampleType.shortName) \(times.joined(separator: "/"))"
    }
}

/// A sample of any type.
public struct AnySample: HealthSample {
    /// Any kind.
    public static var kind: AnySampleType.Kind? { nil }
    /// The row.
    public let row: SampleRow
    /// Creates a sample from a row.
    @inlinable public init(row: SampleRow) { self.row = row }

    /// The value as written: a number, or the name of a category's value.
    public var value: String? { row["value"] }
    /// The unit of the value as written.
    public var unit: String? { row["unit"] }
}

extension SampleType where Sample: HealthSample {
    /// Creates the type with this exact identifier, known or unknown.
    ///
    /// - Returns: nil if the identifier is of another kind, such as a category for a quantity.
    public init?(_ identifier: String) {
        let type = AnySampleType(identifier)
        guard Sample.kind == nil || type.kind == Sample.kind else { return nil }
        self.init(unchecked: type)
    }

    /// Returns the known type with an identifier or short name: `heartRate`.
    ///
    /// - Throws: ``HealthTypesError`` if no known type of this kind has the name.
    public static func named(_ name: String) throws(HealthTypesError) -> Self {
        let type = try AnySampleType.named(name)
        guard let typed = Self(type.identifier) else { throw HealthTypesError(.unknownSampleType, name) }
        return typed
    }
}

extension SampleType where Sample == AnySample {
    /// Creates a type whose samples are read as ``AnySample``.
    public init(_ type: AnySampleType) { self.init(unchecked: type) }
}

/// Samples of one type, each decoded when it is accessed.
public struct Samples<Sample: HealthSample>: Sendable, RandomAccessCollection {
    @usableFromInline let storage: SampleStorage

    init(_ storage: SampleStorage) {
        self.storage = storage
    }

    /// Creates the samples of one span, by start.
    package init(span parts: [SampleBatch]) where Sample == AnySample {
        storage = SampleStorage(parts, .start)
    }

    /// The type of the samples.
    public var type: AnySampleType { storage.type }

    /// Calls `body` with the start, in seconds since 1970, and the identity of each sample.
    package func forEachIdentity(_ body: (Int?, UInt128) -> Void) {
        let identities = storage.parts.map { RowIdentities($0.batch) }
        for index in indices {
            let place = storage.places[index]
            body(start(at: index), identities[place.part].identity(at: place.cell))
        }
    }

    /// Returns the start of a sample in seconds since 1970, for a day its midnight in UTC; nil if there is none.
    package func start(at index: Int) -> Int? {
        let start = storage.places[index].start
        return start == .min ? nil : start
    }

    /// Always 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of samples.
    @inlinable public var endIndex: Int { storage.count }

    /// The sample at an index.
    @inlinable public subscript(index: Int) -> Sample {
        precondition(index >= 0 && index < storage.count, "an index is below the number of samples")
        return Sample(row: SampleRow(storage, index))
    }
}

extension SampleBatch.Key {
    /// The type of the samples.
    public var sampleType: AnySampleType {
        AnySampleType(AnySampleType.identifier(ofElement: element, type: type) ?? element)
    }
}

extension SampleBatch {
    /// The type of its samples.
    public var sampleType: AnySampleType { key.sampleType }

    /// Returns the samples of the batch as a type, in the order of the source: `batch.samples(of: .heartRate)`.
    ///
    /// - Returns: nil if it contains samples of another type.
    public func samples<Sample>(of type: SampleType<Sample>) -> Samples<Sample>? {
        sampleType == type.erased ? Samples(SampleStorage([self])) : nil
    }

    /// The samples of the batch in the order of the source, each decoded when it is accessed.
    public var samples: Samples<AnySample> { Samples(SampleStorage([self])) }
}
