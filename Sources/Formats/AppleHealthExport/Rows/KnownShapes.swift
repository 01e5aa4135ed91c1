import ByteText
import SampleBatches

/// The elements and attributes that contents had so far, with what they become as JSON, for ``ContentShapes``.
struct KnownShapes {
    /// An element at its path.
    struct Shape {
        /// Its name in ``names``.
        let name: Range<Int>
        /// The start of the member that holds a run of such elements, `"Name":[`, in ``names``.
        let key: Range<Int>
        let depth: Int
        /// Its index in the census, once assigned.
        var censusIndex: Int?
        /// The number of attributes of the last such element, if there were no others before their last one was met, all are
        /// declared, and it had nothing in it; 0 otherwise.
        var similarCount = 0
    }

    /// An attribute of such elements.
    struct Attribute {
        /// The name, `=` and the quote, in ``names``.
        let opening: Range<Int>
        /// The end of an object and the start of the next one, up to the value of its first member, in ``names``: `,{"name":`.
        let firstOfNext: Range<Int>
        /// The comma, the JSON name and the colon, in ``names``.
        let next: Range<Int>
        let kind: AttributeKind
        /// Whether it is not declared for its element, for which it is counted by name.
        let isUnknown: Bool
        /// Its index in the census, once assigned.
        var censusIndex: Int?
    }

    var shapes: [Shape] = []
    /// The paths of the shapes.
    private(set) var paths: [String] = []
    /// The attributes of each shape seen so far.
    var attributes: [[Attribute]] = []
    /// The child elements of each shape seen so far, as shapes.
    private(set) var children: [[Int]] = []
    /// The shapes of elements that are rows.
    private var roots: [Int] = []
    /// The bytes of all names, one after the other.
    private(set) var names: [UInt8] = []

    /// The limit on shapes; only a very odd document has more distinct elements.
    static let mostShapes = 256
    private static let mostAttributes = 32
    private static let deepest = 8
    /// The maximum length of a name, in bytes.
    private static let longestName = 64

    /// Returns the shape of an element that is a row, by its name, adding it if it is new; nil if there are too many.
    mutating func root(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Int? {
        for root in roots
        where shapes[root].name.count == name.count
            && bytes.matches(at: name.lowerBound, names.span, shapes[root].name)
        {
            return root
        }
        guard shapes.count < Self.mostShapes, name.count <= Self.longestName else { return nil }
        let name = bytes.array(name)
        roots.append(add(name, key: [], path: String(decoding: name, as: UTF8.self), depth: 0))
        return roots.last
    }

    private mutating func add(_ name: [UInt8], key: [UInt8], path: String, depth: Int) -> Int {
        shapes.append(Shape(name: remember(name), key: remember(key), depth: depth))
        paths.append(path)
        attributes.append([])
        children.append([])
        return shapes.count - 1
    }

    private mutating func remember(_ bytes: [UInt8]) -> Range<Int> {
        names += bytes
        return (names.count - bytes.count)..<names.count
    }

    /// Returns the path of an attribute.
    func path(_ shape: Int, _ attribute: Int) -> ExactName {
        let name = names[attributes[shape][attribute].opening].dropLast(2)
        return ExactName(paths[shape] + "/@" + String(decoding: name, as: UTF8.self))
    }

    /// Returns the place of an element among its parent's children, adding it if it is new.
    ///
    /// - Parameter next: The place to try first.
    mutating func child(
        _ bytes: Span<UInt8>, at start: Int, of parent: Int, from next: Int
    ) -> Int? {
        let count = children[parent].count
        for offset in 0..<count {
            let place = Self.place(next + offset, of: count)
            let name = shapes[children[parent][place]].name
            let end = start + 1 + name.count
            if bytes.matches(at: start + 1, names.span, name), end < bytes.count,
                !Self.isNameByte(bytes[end])
            {
                return place
            }
        }
        guard shapes.count < Self.mostShapes, shapes[parent].depth < Self.deepest,
            let name = Self.name(bytes, from: start + 1)
        else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        guard ReservedName.canGroup(element: text) else { return nil }
        var key: [UInt8] = []
        JSONEscaping.append(text == "MetadataEntry" ? "metadata" : text, to: &key)
        key += Array(":[".utf8)
        let shape = add(name, key: key, path: paths[parent] + "/" + text, depth: shapes[parent].depth + 1)
        children[parent].append(shape)
        return count
    }

    /// Returns the place of an attribute among its element's attributes, adding it if it is new.
    mutating func attribute(
        _ bytes: Span<UInt8>, at start: Int, of shape: Int, from next: Int
    ) -> Int? {
        // Attributes usually come in the same order as before.
        let count = attributes[shape].count
        for offset in 0..<count {
            let place = Self.place(next + offset, of: count)
            if bytes.matches(at: start, names.span, attributes[shape][place].opening) { return place }
        }
        guard count < Self.mostAttributes, let name = Self.name(bytes, from: start),
            bytes.matches(at: start + name.count, Array("=\"".utf8))
        else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        guard !ReservedName.isReserved(attribute: text) else { return nil }
        var key: [UInt8] = []
        JSONEscaping.append(text, to: &key)
        key.append(UInt8(ascii: ":"))
        let (brace, comma) = (Array(",{".utf8), Array(",".utf8))
        let element = String(decoding: names[shapes[shape].name], as: UTF8.self)
        attributes[shape].append(
            Attribute(
                opening: remember(name + Array("=\"".utf8)), firstOfNext: remember(brace + key),
                next: remember(comma + key),
                kind: AttributeKind(of: text, in: element),
                isUnknown: DeclaredNames.isUnknown(attribute: text, of: element)))
        return count
    }

    /// Returns a place among so many, behind the last of which the first one follows.
    @inline(__always)
    private static func place(_ place: Int, of count: Int) -> Int { place < count ? place : place - count }

    /// Returns the name of letters, digits and underscores at `start`; nil if there is none, or a long one.
    private static func name(_ bytes: Span<UInt8>, from start: Int) -> [UInt8]? {
        var end = start
        while end < bytes.count, end - start <= longestName, isNameByte(bytes[end]) { end += 1 }
        return end > start && end - start <= longestName && end < bytes.count
            ? bytes.array(start..<end) : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
    }
}
