public import CivilTime

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
    public var metadata: Metadata { row.hasContent ? Metadata(content: row.children) : Metadata([]) }

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
