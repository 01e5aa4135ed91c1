import ByteText

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
        case .text(let text, let range):
            var reader = JSONReader(text, range: range)
            // The index was read before, so that the text is known to be an object.
            try? reader.members { reader, key in
                switch key {
                // The names that the container itself defines.
                case "name", "offset", "length", "sha256", "members":
                    try reader.skip()
                    return true
                default: return try Self.value(&reader).map { body(key, $0) } ?? true
                }
            }
        }
    }

    /// Calls `body` with the number and the value of each property that has one of some names, in the order written, until it
    /// returns false.
    func read(_ wanted: JSONNameList, _ body: (_ number: Int, _ value: ContainerProperty.Value) -> Bool) {
        switch self {
        case .list(let properties):
            for property in properties {
                guard let number = wanted.number(of: property.name.utf8Span.span) else { continue }
                guard body(number, property.value) else { return }
            }
        case .text(let text, let range): try? Self.read(text, range, wanted, body)
        }
    }

    private static func read(
        _ text: [UInt8], _ range: Range<Int>, _ wanted: JSONNameList,
        _ body: (Int, ContainerProperty.Value) -> Bool
    ) throws(JSONError) {
        var reader = JSONReader(text, range: range)
        var members = try reader.members()
        while let number = try reader.nextMember(&members, of: wanted) {
            if number < 0 {
                try reader.skip()
            } else if let value = try value(&reader) {
                guard body(number, value) else { return }
            }
        }
    }

    /// Reads the value of a member; nil if a property can't have it, and it was therefore not written by this program.
    private static func value(_ reader: inout JSONReader) throws(JSONError) -> ContainerProperty.Value? {
        switch try reader.kind() {
        case .string: return .text(try reader.string())
        case .number:
            var probe = reader
            try reader.skip()
            return (try? probe.integer()).map { .number($0) }
        default:
            try reader.skip()
            return nil
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
