/// A type of data with the Swift type of its samples: `SampleType<QuantitySample>.heartRate`.
///
/// A query for it returns samples of that Swift type.
@dynamicMemberLookup
public struct SampleType<Sample>: Sendable {
    /// The type without the Swift type of its samples.
    public let erased: AnySampleType

    /// Creates the type; the caller must know that its samples are of this kind.
    package init(unchecked erased: AnySampleType) { self.erased = erased }

    /// A property of the erased type: `identifier`, `title`, `canonicalUnit`, ...
    public subscript<Value>(dynamicMember member: KeyPath<AnySampleType, Value>) -> Value {
        erased[keyPath: member]
    }
}

extension SampleType: Hashable, CustomStringConvertible {
    /// Types are the same if their identifiers have the same bytes.
    public static func == (left: Self, right: Self) -> Bool { left.erased == right.erased }
    /// Feeds the identifier to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(erased) }
    /// The identifier.
    public var description: String { erased.description }
}

extension SampleType: KnownTypeNames {
    /// Creates the known type with this identifier; prefer its static member.
    public init(known identifier: String) { self.init(unchecked: AnySampleType(identifier)) }
}
