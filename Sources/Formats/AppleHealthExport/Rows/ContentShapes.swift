import ByteSpans
import CivilTime
import JSONText
import SampleBatches

/// Writes plain contents of elements as JSON, directly from the XML.
///
/// Almost all contents are plain: elements with attributes, no text between them, and no disallowed repeated names.
/// Known elements and attributes are recognised by their bytes. Anything odd is left to `ContentParser`, which applies
/// the full rules; tests check that both produce the same output where both apply.
///
/// The content of the record
///
///     <Record type="HKQuantityTypeIdentifierHeartRate" value="61">
///      <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>
///     </Record>
///
/// becomes `{"metadata":[{"key":"HKMetadataKeyHeartRateMotionContext","value":"1"}]}`. The first time, `Record` becomes
/// the shape of a root, and `MetadataEntry` one of its children: with the bytes of its name, the start of its member,
/// `"metadata":[`, and the path `Record/MetadataEntry`, under which it is counted. Each of its attributes is remembered by
/// its opening, `key="`, and by what that becomes, `"key":`.
///
/// The second time, name and openings are compared with the bytes in the document, attributes in the order in which they
/// came before, and what they become is copied. A value is scanned once for bytes that need an escape and copied. No name
/// is decoded, escaped or looked up in a dictionary, and memory is allocated only for the finished text.
struct ContentShapes {
    /// An element at its path, with the attributes and child elements seen so far.
    private struct Shape {
        let name: [UInt8]
        /// The start of the member that holds a run of such elements: `"Name":[`.
        let key: [UInt8]
        let path: String
        let depth: Int
        var attributes: [Attribute] = []
        var children: [Int] = []
        /// Its index in the census, once assigned.
        var censusIndex: Int?
    }

    private struct Attribute {
        /// The name, `=` and the quote.
        let opening: [UInt8]
        /// The JSON name and the colon.
        let key: [UInt8]
        let kind: AttributeKind
        /// The path to count it under; nil if it is declared for its element.
        let unknownPath: ExactName?
    }

    private var shapes: [Shape] = []
    private var roots: [(element: String, shape: Int)] = []
    private var times = TimeReader()
    /// The JSON text being written.
    private var output: [UInt8] = []
    /// The shape of each element in the content.
    private var met: [Int] = []
    /// The paths of the content's undeclared attributes.
    private var unknown: [ExactName] = []

    /// The limit on shapes; only a very odd document has more distinct elements.
    private static let mostShapes = 256
    private static let mostAttributes = 32
    private static let deepest = 8

    /// Returns the content in a range of bytes; nil if it needs the general parser.
    mutating func content(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ element: String, _ census: inout Census
    ) -> RowContent? {
        guard let root = root(element) else { return nil }
        output.removeAll(keepingCapacity: true)
        met.removeAll(keepingCapacity: true)
        unknown.removeAll(keepingCapacity: true)
        output.append(UInt8(ascii: "{"))
        var index = range.lowerBound
        let inside = bytes.extracting(0..<range.upperBound)
        guard members(inside, &index, of: root, isFirst: true), index == range.upperBound, !met.isEmpty
        else { return nil }
        output.append(UInt8(ascii: "}"))
        return RowContent(json: output.span.array, oddities: ScanOddities(), census: counts(&census))
    }

    private mutating func counts(_ census: inout Census) -> [(index: Int, count: Int)] {
        var counts: [(index: Int, count: Int)] = []
        func count(_ index: Int) {
            if let place = counts.firstIndex(where: { $0.index == index }) {
                counts[place].count += 1
            } else {
                counts.append((index, 1))
            }
        }
        for shape in met {
            let index = shapes[shape].censusIndex ?? census.index(of: ExactName(shapes[shape].path))
            shapes[shape].censusIndex = index
            count(index)
        }
        for path in unknown { count(census.index(ofAttribute: path)) }
        return counts
    }

    private mutating func root(_ element: String) -> Int? {
        if let root = roots.first(where: { $0.element.utf8.elementsEqual(element.utf8) }) {
            return root.shape
        }
        guard shapes.count < Self.mostShapes else { return nil }
        shapes.append(Shape(name: Array(element.utf8), key: [], path: element, depth: 0))
        roots.append((element, shapes.count - 1))
        return shapes.count - 1
    }

    /// Writes the elements up to an end tag or the end of the bytes as members of the enclosing object.
    ///
    /// - Returns: false if they need the general parser.
    private mutating func members(
        _ bytes: Span<UInt8>, _ index: inout Int, of parent: Int, isFirst: Bool
    ) -> Bool {
        var last = -1
        // Elements with the same name must be adjacent.
        var runs: UInt64 = 0
        while true {
            while index < bytes.count, MarkupReader.isSpace(bytes[index]) { index += 1 }
            if index == bytes.count { break }
            guard bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count else { return false }
            if bytes[index + 1] == UInt8(ascii: "/") { break }
            guard let place = child(bytes, at: index, of: parent) else { return false }
            let shape = shapes[parent].children[place]
            if shape == last {
                output.append(UInt8(ascii: ","))
            } else {
                guard place < 64, runs & (1 << UInt64(place)) == 0 else { return false }
                runs |= 1 << UInt64(place)
                if last >= 0 { output.append(UInt8(ascii: "]")) }
                if last >= 0 || !isFirst { output.append(UInt8(ascii: ",")) }
                output.append(copying: shapes[shape].key)
                last = shape
            }
            index += 1 + shapes[shape].name.count
            met.append(shape)
            guard object(bytes, &index, shape) else { return false }
        }
        if last >= 0 { output.append(UInt8(ascii: "]")) }
        return true
    }

    /// Writes an element, from the end of its name to the end of the element.
    private mutating func object(_ bytes: Span<UInt8>, _ index: inout Int, _ shape: Int) -> Bool {
        output.append(UInt8(ascii: "{"))
        var used: UInt64 = 0
        var next = 0
        while true {
            let before = index
            while index < bytes.count, MarkupReader.isSpace(bytes[index]) { index += 1 }
            guard index + 1 < bytes.count else { return false }
            if bytes[index] == UInt8(ascii: "/") {
                guard bytes[index + 1] == UInt8(ascii: ">") else { return false }
                index += 2
                break
            }
            if bytes[index] == UInt8(ascii: ">") {
                index += 1
                guard members(bytes, &index, of: shape, isFirst: used == 0) else { return false }
                guard endTag(bytes, &index, shape) else { return false }
                break
            }
            guard index > before, let place = attribute(bytes, at: index, of: shape, from: next),
                used & (1 << UInt64(place)) == 0
            else { return false }
            if used != 0 { output.append(UInt8(ascii: ",")) }
            used |= 1 << UInt64(place)
            next = place + 1
            index += shapes[shape].attributes[place].opening.count
            output.append(copying: shapes[shape].attributes[place].key)
            if let path = shapes[shape].attributes[place].unknownPath { unknown.append(path) }
            guard value(bytes, &index, shapes[shape].attributes[place].kind) else { return false }
        }
        output.append(UInt8(ascii: "}"))
        return true
    }

    private func endTag(_ bytes: Span<UInt8>, _ index: inout Int, _ shape: Int) -> Bool {
        guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/"),
            bytes.matches(at: index + 2, shapes[shape].name)
        else { return false }
        index += 2 + shapes[shape].name.count
        while index < bytes.count, MarkupReader.isSpace(bytes[index]) { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: ">") else { return false }
        index += 1
        return true
    }

    /// Writes the double-quoted value that starts at `index`.
    private mutating func value(_ bytes: Span<UInt8>, _ index: inout Int, _ kind: AttributeKind) -> Bool {
        let start = index
        let plainEnd = bytes.endOfPlainMarkup(from: start)
        index = plainEnd
        while true {
            guard index < bytes.count, bytes[index] != UInt8(ascii: "<") else { return false }
            if bytes[index] == UInt8(ascii: "\"") { break }
            index += 1
        }
        let range = start..<index
        index += 1
        guard range.upperBound == plainEnd else { return resolved(bytes, range, kind) }
        let text = bytes.extracting(range)
        if kind == .measurement, JSONNumber.matches(text) {
            output.append(copying: text)
            return true
        }
        output.append(UInt8(ascii: "\""))
        if kind == .time {
            // A time already in ISO format would look like a converted one, and a text that is not a time must be
            // counted.
            guard text.count == Timestamp.length, text[10] == UInt8(ascii: " "),
                times.read(bytes, at: start) != nil
            else { return false }
            output.append(copying: text.extracting(0..<10))
            output.append(UInt8(ascii: "T"))
            output.append(copying: text.extracting(11..<19))
            output.append(copying: text.extracting(20..<23))
            output.append(UInt8(ascii: ":"))
            output.append(copying: text.extracting(23..<25))
        } else {
            output.append(copying: text)
        }
        output.append(UInt8(ascii: "\""))
        return true
    }

    /// Writes a value with references, backslashes, control characters or non-ASCII bytes.
    private mutating func resolved(_ bytes: Span<UInt8>, _ range: Range<Int>, _ kind: AttributeKind) -> Bool {
        guard kind != .time, kind != .measurement else { return false }
        var oddities = ScanOddities()
        let text = AttributeText.resolve(bytes, range, &oddities)
        return JSONEscaping.append(text.span, to: &output) == 0 && oddities.isEmpty
    }

    /// Returns the index of an element among its parent's children, adding it if it is new.
    private mutating func child(_ bytes: Span<UInt8>, at start: Int, of parent: Int) -> Int? {
        for (place, child) in shapes[parent].children.enumerated() {
            let end = start + 1 + shapes[child].name.count
            if bytes.matches(at: start + 1, shapes[child].name), end < bytes.count,
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
        shapes.append(
            Shape(
                name: name, key: key, path: shapes[parent].path + "/" + text, depth: shapes[parent].depth + 1)
        )
        shapes[parent].children.append(shapes.count - 1)
        return shapes[parent].children.count - 1
    }

    /// Returns the index of an attribute among its element's attributes, adding it if it is new.
    private mutating func attribute(
        _ bytes: Span<UInt8>, at start: Int, of shape: Int, from next: Int
    ) -> Int? {
        // Attributes usually come in the same order as before.
        let count = shapes[shape].attributes.count
        for offset in 0..<count {
            let place = next + offset < count ? next + offset : next + offset - count
            if bytes.matches(at: start, shapes[shape].attributes[place].opening) { return place }
        }
        guard count < Self.mostAttributes, let name = Self.name(bytes, from: start),
            bytes.matches(at: start + name.count, Array("=\"".utf8))
        else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        guard !ReservedName.isReserved(attribute: text) else { return nil }
        var key: [UInt8] = []
        JSONEscaping.append(text, to: &key)
        key.append(UInt8(ascii: ":"))
        let element = String(decoding: shapes[shape].name, as: UTF8.self)
        shapes[shape].attributes.append(
            Attribute(
                opening: name + Array("=\"".utf8), key: key, kind: AttributeKind(of: text, in: element),
                unknownPath: DeclaredNames.isUnknown(attribute: text, of: element)
                    ? ExactName(shapes[shape].path + "/@" + text) : nil))
        return count
    }

    /// Returns the name of letters, digits and underscores at `start`; nil if there is none.
    private static func name(_ bytes: Span<UInt8>, from start: Int) -> [UInt8]? {
        var end = start
        while end < bytes.count, end - start < 64, isNameByte(bytes[end]) { end += 1 }
        return end > start && end < bytes.count ? bytes.array(start..<end) : nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
    }
}
