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
/// The second time, name and openings are compared with the bytes in the document, attributes and children in the order in
/// which they came before, and what they become is copied. A value is scanned once for bytes that need an escape and copied.
/// No name is decoded, escaped or looked up in a dictionary, the end of the element is found on the way, and memory is
/// allocated only for a content that is kept.
struct ContentShapes {
    /// An element at its path.
    private struct Shape {
        /// Its name in ``names``.
        let name: Range<Int>
        /// The start of the member that holds a run of such elements, `"Name":[`, in ``names``.
        let key: Range<Int>
        let depth: Int
        /// Its index in the census, once assigned.
        var censusIndex: Int?
    }

    private struct Attribute {
        /// The name, `=` and the quote, in ``names``.
        let opening: Range<Int>
        /// The JSON name and the colon, in ``names``.
        let key: Range<Int>
        let kind: AttributeKind
        /// Whether it is not declared for its element, for which it is counted by name.
        let isUnknown: Bool
        /// Its index in the census, once assigned.
        var censusIndex: Int?
    }

    private var shapes: [Shape] = []
    /// The paths of the shapes.
    private var paths: [String] = []
    /// The attributes of each shape seen so far.
    private var attributes: [[Attribute]] = []
    /// The child elements of each shape seen so far, as shapes.
    private var children: [[Int]] = []
    /// The shapes of elements that are rows.
    private var roots: [Int] = []
    /// The bytes of all names, one after the other.
    private var names: [UInt8] = []
    private var times = TimeReader()
    /// The JSON text being written.
    private var output: [UInt8] = []
    /// The shape of each element in the content.
    private var met: [Int] = []
    /// The shapes of the elements that were counted last, and their numbers, which are often those of the next content.
    private var lastMet: [Int] = []
    private var lastCounts: [(index: Int, count: Int)] = []
    /// The undeclared attributes in the content, by shape and place.
    private var unknown: [(shape: Int, place: Int)] = []
    /// The number of tags and attributes in the content, as `ContentParser` counts them.
    private var parts = 0

    /// The limit on shapes; only a very odd document has more distinct elements.
    private static let mostShapes = 256
    /// The length of a content up to which the memory for it is kept for the next one, in bytes.
    private static let mostKept = 1 << 16
    private static let mostAttributes = 32
    private static let deepest = 8
    /// The maximum length of a name, in bytes.
    private static let longestName = 64

    /// Reads the content of the element whose start tag ends at `start`; ``json`` and ``content(digest:_:)`` return it.
    ///
    /// - Parameter name: The name of the element, in `bytes`.
    /// - Returns: The offset of its end tag, and the offset after that tag; nil if it needs the general parser, or does not end
    ///   here.
    mutating func read(
        _ bytes: Span<UInt8>, at start: Int, ofElement name: Range<Int>
    ) -> (end: Int, next: Int)? {
        guard let root = root(bytes, name) else { return nil }
        // Few are long, and their memory is kept no longer than needed.
        let isKept = output.count <= Self.mostKept
        output.removeAll(keepingCapacity: isKept)
        met.removeAll(keepingCapacity: isKept)
        unknown.removeAll(keepingCapacity: isKept)
        parts = 0
        output.append(UInt8(ascii: "{"))
        var index = start
        guard members(bytes, &index, of: root, isFirst: true), !met.isEmpty else { return nil }
        let end = index
        guard endTag(bytes, &index, root), parts <= MarkupReader.partLimit else { return nil }
        output.append(UInt8(ascii: "}"))
        return (end, index)
    }

    /// The content that was read last, as a JSON object.
    var json: [UInt8] { output }

    /// Returns the content that was read last, with a copy of its JSON object, whose hash is known.
    mutating func content(digest: UInt64, _ census: inout Census) -> RowContent {
        RowContent(
            HashedBytes(output.span.array, digest: digest), oddities: ScanOddities(), census: counts(&census))
    }

    private mutating func counts(_ census: inout Census) -> [(index: Int, count: Int)] {
        if unknown.isEmpty, met == lastMet { return lastCounts }
        var counts: [(index: Int, count: Int)] = []
        func count(_ index: Int) {
            if let place = counts.firstIndex(where: { $0.index == index }) {
                counts[place].count += 1
            } else {
                counts.append((index, 1))
            }
        }
        for shape in met {
            let index = shapes[shape].censusIndex ?? census.index(of: ExactName(paths[shape]))
            shapes[shape].censusIndex = index
            count(index)
        }
        for (shape, place) in unknown {
            let index = attributes[shape][place].censusIndex ?? census.index(ofAttribute: path(shape, place))
            attributes[shape][place].censusIndex = index
            count(index)
        }
        if unknown.isEmpty, met.count <= Self.mostShapes { (lastMet, lastCounts) = (met, counts) }
        return counts
    }

    private func path(_ shape: Int, _ attribute: Int) -> ExactName {
        let name = names[attributes[shape][attribute].opening].dropLast(2)
        return ExactName(paths[shape] + "/@" + String(decoding: name, as: UTF8.self))
    }

    private mutating func root(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Int? {
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

    // Static, so that no exclusive access covers both the names and the output.

    @inline(__always)
    private static func copy(_ names: [UInt8], _ range: Range<Int>, to output: inout [UInt8]) {
        output.append(copying: names.span.extracting(range))
    }

    /// Writes the elements up to an end tag as members of the enclosing object.
    ///
    /// - Returns: false if they need the general parser.
    private mutating func members(
        _ bytes: Span<UInt8>, _ index: inout Int, of parent: Int, isFirst: Bool
    ) -> Bool {
        var last = -1
        var lastPlace = 0
        // Elements with the same name must be adjacent.
        var runs: UInt64 = 0
        while true {
            while index < bytes.count, MarkupReader.isSpace(bytes[index]) { index += 1 }
            guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "<") else { return false }
            if bytes[index + 1] == UInt8(ascii: "/") { break }
            guard let place = child(bytes, at: index, of: parent, from: lastPlace) else { return false }
            lastPlace = place
            let shape = children[parent][place]
            if shape == last {
                output.append(UInt8(ascii: ","))
            } else {
                guard place < 64, runs & (1 << UInt64(place)) == 0 else { return false }
                runs |= 1 << UInt64(place)
                if last >= 0 { output.append(UInt8(ascii: "]")) }
                if last >= 0 || !isFirst { output.append(UInt8(ascii: ",")) }
                Self.copy(names, shapes[shape].key, to: &output)
                last = shape
            }
            index += 1 + shapes[shape].name.count
            met.append(shape)
            parts += 2
            guard parts <= MarkupReader.partLimit, object(bytes, &index, shape) else { return false }
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
                parts += 1
                break
            }
            guard index > before, let place = attribute(bytes, at: index, of: shape, from: next),
                used & (1 << UInt64(place)) == 0
            else { return false }
            if used != 0 { output.append(UInt8(ascii: ",")) }
            used |= 1 << UInt64(place)
            next = place + 1
            parts += 1
            let known = attributes[shape][place]
            index += known.opening.count
            Self.copy(names, known.key, to: &output)
            if known.isUnknown { unknown.append((shape, place)) }
            guard value(bytes, &index, known.kind) else { return false }
        }
        output.append(UInt8(ascii: "}"))
        return true
    }

    private func endTag(_ bytes: Span<UInt8>, _ index: inout Int, _ shape: Int) -> Bool {
        let name = shapes[shape].name
        guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/"),
            bytes.matches(at: index + 2, names.span, name)
        else { return false }
        index += 2 + name.count
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
        guard !MarkupReader.endsInRecord(bytes, range) else { return false }
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
        // Mostly a name that is not ASCII, and stands for itself.
        if AttributeText.isLiteral(bytes, range) {
            return JSONEscaping.append(bytes.extracting(range), to: &output) == 0
        }
        var oddities = ScanOddities()
        let text = AttributeText.resolve(bytes, range, &oddities)
        return JSONEscaping.append(text.span, to: &output) == 0 && oddities.isEmpty
    }

    /// Returns the place of an element among its parent's children, adding it if it is new.
    ///
    /// - Parameter next: The place to try first.
    private mutating func child(
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
    private mutating func attribute(
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
        let element = String(decoding: names[shapes[shape].name], as: UTF8.self)
        attributes[shape].append(
            Attribute(
                opening: remember(name + Array("=\"".utf8)), key: remember(key),
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
