import JSONText

/// An element of the XML, with its attributes and content.
public struct ElementNode: Sendable, Equatable {
    /// A part of an element's content.
    public enum Child: Sendable, Equatable {
        /// An element.
        case element(ElementNode)
        /// Text that is more than white space.
        case text([UInt8])
    }

    /// The element's name.
    public var name: String
    /// Its attributes in the order written, with entities resolved.
    public var attributes: [Attribute] = []
    /// Its content, in the order written.
    public var children: [Child] = []

    /// One attribute.
    public struct Attribute: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its text, which may not be UTF-8.
        public var text: [UInt8]

        /// Creates an attribute.
        public init(_ name: String, _ text: [UInt8]) {
            self.name = name
            self.text = text
        }
    }

    /// Creates an element without attributes or content.
    public init(name: String) { self.name = name }
}
