public import HealthModel
public import HealthQueries

/// An object of an external store that mirrors a sample.
///
/// ```swift
/// struct Reading: ExternalObject {
///     let id: SampleID
///     var beats: Double?
///
///     init?(_ sample: IdentifiedSample, converter: (any SampleConverter)?) {
///         id = sample.id
///         update(with: sample, converter: converter)
///     }
///     init?(deleted id: SampleID, converter: (any SampleConverter)?) { self.id = id }
///     mutating func update(with sample: IdentifiedSample, converter: (any SampleConverter)?) {
///         beats = sample.sample.row.number("value")
///     }
/// }
/// ```
public protocol ExternalObject: Sendable {
    /// The identifier by which objects and samples are matched.
    var id: SampleID { get }

    /// Returns the types that must be permitted to make objects of a type; by default, the type itself.
    static func requiredTypes(for type: AnySampleType) -> [AnySampleType]

    /// Creates an object from a sample; nil to skip the sample.
    init?(_ sample: IdentifiedSample, converter: (any SampleConverter)?)

    /// Creates an object for a sample that is gone; nil to keep its object.
    init?(deleted id: SampleID, converter: (any SampleConverter)?)

    /// Updates an object that the store already has.
    mutating func update(with sample: IdentifiedSample, converter: (any SampleConverter)?)
}

extension ExternalObject {
    /// Returns the type itself.
    public static func requiredTypes(for type: AnySampleType) -> [AnySampleType] { [type] }
}

/// A conversion that objects share, for example to the units that the external store wants.
public protocol SampleConverter: Sendable {
    /// Prepares for samples of a type, for example by looking up the preferred unit.
    ///
    /// A failure does not stop the synchronisation; ``unit(for:)`` then returns whatever it can.
    func prepare(for type: AnySampleType, in store: any HealthStore) async throws

    /// Returns the unit of the values of a type; nil for the unit of the sample.
    func unit(for type: AnySampleType) -> HealthUnit?
}

extension SampleConverter {
    /// Does nothing.
    public func prepare(for type: AnySampleType, in store: any HealthStore) async throws {}
}

/// A sample as the targets that come with the library store it.
public struct SampleRecord: ExternalObject {
    /// The identifier.
    public let id: SampleID
    /// The sample; nil for one that was fetched from a target or is to be deleted.
    public private(set) var sample: AnySample?

    /// Creates a record of a sample.
    public init(_ sample: IdentifiedSample, converter: (any SampleConverter)? = nil) {
        id = sample.id
        self.sample = sample.sample
    }

    /// Creates a record of which only the identifier is known.
    public init(deleted id: SampleID, converter: (any SampleConverter)? = nil) { self.id = id }

    /// Sets the sample.
    public mutating func update(with sample: IdentifiedSample, converter: (any SampleConverter)? = nil) {
        self.sample = sample.sample
    }
}
