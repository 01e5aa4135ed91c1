/// The kind of a sample: the XML element, and the sample type if the element has one.
public struct TypeKey: Sendable, Hashable, Comparable {
    /// The name of the element: `Record`, `Workout`, ...
    public let element: ExactName
    /// The sample type, empty for elements that have none.
    public let type: ExactName

    /// Creates a key.
    public init(element: String, type: String) {
        self.element = ExactName(element)
        self.type = ExactName(type)
    }

    /// Orders keys by element, then by type.
    public static func < (left: Self, right: Self) -> Bool {
        (left.element, left.type) < (right.element, right.type)
    }
}
