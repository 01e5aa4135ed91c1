package import ByteText

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

/// Finds attributes whose names occur twice.
public enum AttributeNames: Sendable {
    /// The maximum number of names that are compared pairwise; more are hashed.
    private static let few = 12

    /// Returns how many of the attributes have the name of an earlier one.
    public static func duplicates(_ attributes: [ElementNode.Attribute]) -> Int {
        duplicates(attributes.map(\.name))
    }

    /// Returns how many of the names are equal to an earlier one.
    public static func duplicates(_ names: [String]) -> Int {
        guard names.count > few else {
            return names.indices.count { number in
                names[..<number].contains { ExactName($0) == ExactName(names[number]) }
            }
        }
        return names.count - Set(names.lazy.map { ExactName($0) }).count
    }
}

/// Attributes as members of a flat JSON object.
public enum FlatAttributes: Sendable {
    /// Returns whether members cannot represent the attributes exactly, so that the object also needs the list
    /// `attributes`.
    public static func isOdd(_ attributes: [ElementNode.Attribute], in element: String) -> Bool {
        if AttributeNames.duplicates(attributes) > 0 { return true }
        for attribute in attributes {
            if ReservedName.isReserved(attribute: attribute.name) { return true }
            if Timestamp(iso: attribute.text.span) != nil,
                AttributeKind(of: attribute.name, in: element) == .time
            {
                return true
            }
        }
        return false
    }

    /// Returns the attributes that become members: the first of each name, without the reserved ones.
    public static func flat(_ attributes: [ElementNode.Attribute]) -> [ElementNode.Attribute] {
        var names: Set<ExactName> = []
        return attributes.filter {
            names.insert(ExactName($0.name)).inserted && !ReservedName.isReserved(attribute: $0.name)
        }
    }

    /// Appends an attribute's text as a JSON value: times in ISO form, measurements as numbers if they are written
    /// like one, everything else as a string.
    ///
    /// - Returns: Number of bytes that were not well-formed UTF-8.
    public static func append(
        _ attribute: ElementNode.Attribute, in element: String, to output: inout [UInt8]
    ) -> Int {
        switch AttributeKind(of: attribute.name, in: element) {
        case .time:
            if let time = Timestamp(apple: attribute.text.span) {
                output.append(UInt8(ascii: "\""))
                time.appendISO(to: &output)
                output.append(UInt8(ascii: "\""))
                return 0
            }
        case .measurement:
            if JSONNumber.matches(attribute.text.span) {
                output.append(contentsOf: attribute.text)
                return 0
            }
        case .shared, .device, .text: break
        }
        return JSONEscaping.append(attribute.text.span, to: &output)
    }

    /// Reads the value of a member that ``append(_:in:to:)`` wrote; a time stays in ISO form.
    package static func readValue(_ reader: inout JSONReader) throws -> [UInt8] {
        if try reader.kind() == .number { return Array(reader.bytes[try reader.number()]) }
        return try reader.stringBytes()
    }

    /// Returns the text of an attribute from the value of its member, with times in Apple's form.
    package static func text(_ value: [UInt8], of name: String, in element: String) -> [UInt8] {
        guard let time = Timestamp(iso: value.span), AttributeKind(of: name, in: element) == .time else {
            return value
        }
        var text: [UInt8] = []
        time.appendApple(to: &text)
        return text
    }

    /// Reads the list `attributes`, and calls `append` with each attribute.
    package static func readList(
        _ reader: inout JSONReader, _ append: (ElementNode.Attribute) throws -> Void
    ) throws {
        try reader.array { reader in
            var parts: [[UInt8]] = []
            try reader.array { reader in
                guard parts.count < 2 else { throw reader.failure(.unexpected) }
                parts.append(try reader.stringBytes())
            }
            guard parts.count == 2 else { throw reader.failure(.unexpected) }
            try append(ElementNode.Attribute(String(decoding: parts[0], as: UTF8.self), parts[1]))
        }
    }
}
