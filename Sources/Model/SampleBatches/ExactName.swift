import ByteText

/// A name that is compared by its bytes.
///
/// Swift strings are equal if Unicode considers them equivalent, such as a precomposed `é` and an `e` with a combining
/// accent. In a document these are two names, and counts by name must distinguish them.
public struct ExactName: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
    /// The name as text.
    public let text: String

    /// Creates a name.
    public init(_ text: String) { self.text = text }

    /// Creates a name from a literal.
    public init(stringLiteral text: String) { self.text = text }

    /// Compares names byte by byte.
    public static func == (left: Self, right: Self) -> Bool {
        let (mine, theirs) = (left.text.utf8Span.span, right.text.utf8Span.span)
        return mine.count == theirs.count && mine.matches(at: 0, theirs, 0..<theirs.count)
    }

    /// Orders names by their bytes, which is also the order of their code points.
    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8Span.span.precedes(right.text.utf8Span.span)
    }

    /// Feeds a hash of the bytes to a hasher.
    ///
    /// The hash of the text would be the same for all names that Unicode considers equivalent, of which a document
    /// can have thousands.
    public func hash(into hasher: inout Hasher) { hasher.combine(LookupHash.hash(text.utf8Span.span)) }
}

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
