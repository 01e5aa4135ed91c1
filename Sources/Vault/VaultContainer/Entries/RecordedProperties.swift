import JSONText

/// What the writer of an entry recorded about it.
///
/// An index lists thousands of entries, and most readers want the properties of a few: they are read from its text when
/// they are requested.
enum RecordedProperties: Sendable, Equatable {
    case list([ContainerProperty])
    /// The members of an object in the text of an index, other than those that the container itself defines.
    case text([UInt8], Range<Int>)

    /// Calls `body` with each property in the order written, until it returns false.
    func read(_ body: (_ key: String, _ value: ContainerProperty.Value) -> Bool) {
        switch self {
        case .list(let properties):
            for property in properties { guard body(property.name, property.value) else { return } }
        case .text(let text, let range): Self.read(text, range, body)
        }
    }

    private static func read(
        _ text: [UInt8], _ range: Range<Int>, _ body: (String, ContainerProperty.Value) -> Bool
    ) {
        var reader = JSONReader(text, range: range)
        // The index was read before, so that the text is known to be an object.
        try? reader.members { reader, key in
            switch key {
            // The names that the container itself defines.
            case "name", "offset", "length", "sha256", "members":
                try reader.skip()
                return true
            default: break
            }
            switch try reader.kind() {
            case .string: return body(key, .text(try reader.string()))
            case .number:
                // A number that is not an integer was not written by this program.
                var probe = reader
                let number = try? probe.integer()
                try reader.skip()
                return number.map { body(key, .number($0)) } ?? true
            default:
                try reader.skip()
                return true
            }
        }
    }

    /// The properties in the order written.
    var list: [ContainerProperty] {
        if case .list(let properties) = self { return properties }
        var properties: [ContainerProperty] = []
        read { name, value in
            properties.append(ContainerProperty(name: name, value: value))
            return true
        }
        return properties
    }

    /// The value of the first property with this name.
    subscript(_ key: String) -> ContainerProperty.Value? {
        var found: ContainerProperty.Value?
        read { other, value in
            if other == key { found = value }
            return found == nil
        }
        return found
    }

    /// Compares the properties, wherever they are.
    static func == (left: Self, right: Self) -> Bool { left.list == right.list }
}
