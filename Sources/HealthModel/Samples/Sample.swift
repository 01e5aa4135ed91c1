public import SampleBatches

/// One sample, decoded.
public struct Sample: Sendable, Equatable {
    /// An attribute as it is in the source.
    public struct Attribute: Sendable, Equatable {
        /// The value of an attribute.
        public enum Value: Sendable, Equatable {
            /// Any text.
            case text(String)
            /// An instant, with the offset that it was written with.
            case time(Timestamp)
        }

        /// Its name: `value`, `unit`, `sourceName`, ...
        public let name: String
        /// Its value.
        public let value: Value
    }

    /// What it is a sample of.
    public let type: SampleType
    /// The name of its element: `Record`, `Workout`, ...
    public let element: String
    /// Its position in the source, which distinguishes it from all others of the same source.
    public let position: Int
    /// The attributes in the order written.
    public let attributes: [Attribute]
    /// What is nested in it (metadata, events, beats), as a JSON object; empty if nothing is.
    public let content: [UInt8]

    /// The text of an attribute; an instant in the ISO form.
    public subscript(_ name: String) -> String? {
        switch attributes.first(where: { $0.name == name })?.value {
        case .text(let text)?: text
        case .time(let time)?: time.iso
        case nil: nil
        }
    }

    /// Returns the instant of an attribute; nil also if it is not in Apple's form.
    public func time(_ name: String) -> Timestamp? {
        if case .time(let time)? = attributes.first(where: { $0.name == name })?.value { return time }
        return nil
    }

    /// When it starts.
    public var startDate: Timestamp? { AttributeKind.startNames.lazy.compactMap { time($0) }.first }
    /// When it ends.
    public var endDate: Timestamp? { time("endDate") }
    /// When it was recorded.
    public var creationDate: Timestamp? { time("creationDate") }
    /// The value as written: a number, or the name of a category's value.
    public var value: String? { self["value"] }
    /// The value as a number, in the unit ``unit``.
    public var quantity: Double? { value.flatMap { Double($0) } }
    /// The unit of the value.
    public var unit: String? { self["unit"] }
    /// The name of the app or device that recorded it.
    public var sourceName: String? { self["sourceName"] }
    /// The version of that app or device.
    public var sourceVersion: String? { self["sourceVersion"] }
    /// The description of the device.
    public var device: String? { self["device"] }
}
