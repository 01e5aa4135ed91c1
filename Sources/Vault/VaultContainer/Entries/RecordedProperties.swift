import JSONText

/// What the writer of an entry recorded about it.
///
/// An index lists thousands of entries, and most readers want the properties of a few: they are read from its text when
/// they are requested.
enum RecordedProperties: Sendable, Equatable {
    case list([ContainerProperty])
    /// The members of an object in the text of an index, other than those that the container itself defines.
    case text([UInt8], Range<Int>)

    /// The properties in the order written.
    var list: [ContainerProperty] {
        guard case .text(let text, let range) = self else {
            guard case .list(let properties) = self else { return [] }
            return properties
        }
        var properties: [ContainerProperty] = []
        var reader = JSONReader(text, range: range)
        // The index was read before, so that the text is known to be an object.
        try? reader.object { reader, key in
            switch key {
            // The names that the container itself defines.
            case "name", "offset", "length", "sha256", "members":
                try reader.skip()
                return
            default: break
            }
            switch try reader.kind() {
            case .string: properties.append(ContainerProperty(key, try reader.string()))
            case .number:
                // A number that is not an integer was not written by this program.
                var probe = reader
                if let number = try? probe.integer() { properties.append(ContainerProperty(key, number)) }
                try reader.skip()
            default: try reader.skip()
            }
        }
        return properties
    }

    /// The value of the first property with this name.
    subscript(_ key: String) -> ContainerProperty.Value? { list.first { $0.name == key }?.value }

    /// Compares the properties, wherever they are.
    static func == (left: Self, right: Self) -> Bool { left.list == right.list }
}
