import ByteText
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
/// its opening, `key="`, and by what that becomes, `,"key":`.
///
/// The second time, name and openings are compared with the bytes in the document, attributes and children in the order in
/// which they came before, and what they become is copied. A value is scanned once for bytes that need an escape and copied.
/// No name is decoded, escaped or looked up in a dictionary, the end of the element is found on the way, and memory is
/// allocated only for a content that is kept.
struct ContentShapes {
    private var known = KnownShapes()
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

    /// The length of a content up to which the memory for it is kept for the next one, in bytes.
    private static let mostKept = 1 << 16

    /// Reads the content of the element whose start tag ends at `start`; ``json`` and ``content(digest:_:)`` return it.
    ///
    /// - Parameter name: The name of the element, in `bytes`.
    /// - Returns: The offset of its end tag, and the offset after that tag; nil if it needs the general parser, or does not end
    ///   here.
    mutating func read(
        _ bytes: Span<UInt8>, at start: Int, ofElement name: Range<Int>
    ) -> (end: Int, next: Int)? {
        guard let root = known.root(bytes, name) else { return nil }
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
            let index = known.shapes[shape].censusIndex ?? census.index(of: ExactName(known.paths[shape]))
            known.shapes[shape].censusIndex = index
            count(index)
        }
        for (shape, place) in unknown {
            let index =
                known.attributes[shape][place].censusIndex
                ?? census.index(ofAttribute: known.path(shape, place))
            known.attributes[shape][place].censusIndex = index
            count(index)
        }
        if unknown.isEmpty, met.count <= KnownShapes.mostShapes { (lastMet, lastCounts) = (met, counts) }
        return counts
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
            if last >= 0, similar(bytes, &index, last) { continue }
            guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "<") else { return false }
            if bytes[index + 1] == UInt8(ascii: "/") { break }
            guard let place = known.child(bytes, at: index, of: parent, from: lastPlace) else { return false }
            lastPlace = place
            let shape = known.children[parent][place]
            if shape == last {
                output.append(UInt8(ascii: ","))
            } else {
                guard place < 64, runs & (1 << UInt64(place)) == 0 else { return false }
                runs |= 1 << UInt64(place)
                if last >= 0 { output.append(UInt8(ascii: "]")) }
                if last >= 0 || !isFirst { output.append(UInt8(ascii: ",")) }
                Self.copy(known.names, known.shapes[shape].key, to: &output)
                last = shape
            }
            index += 1 + known.shapes[shape].name.count
            met.append(shape)
            parts += 2
            guard parts <= MarkupReader.partLimit, object(bytes, &index, shape) else { return false }
        }
        if last >= 0 { output.append(UInt8(ascii: "]")) }
        return true
    }

    /// Writes an element that follows another one of its shape, has nothing in it, and has the same attributes in the order in
    /// which they were first met, as the heartbeats of a heart rate variability do; another element is not written.
    private mutating func similar(_ bytes: Span<UInt8>, _ index: inout Int, _ shape: Int) -> Bool {
        let (count, name) = (known.shapes[shape].similarCount, known.shapes[shape].name)
        guard count > 0, index < bytes.count, bytes[index] == UInt8(ascii: "<"),
            bytes.matches(at: index + 1, known.names.span, name), parts + 2 + count <= MarkupReader.partLimit
        else { return false }
        let written = output.count
        var place = index + 1 + name.count
        for number in 0..<count {
            let attribute = known.attributes[shape][number]
            guard place < bytes.count, bytes[place] == UInt8(ascii: " "),
                bytes.matches(at: place + 1, known.names.span, attribute.opening)
            else { break }
            place += 1 + attribute.opening.count
            let opening = number == 0 ? attribute.firstOfNext : attribute.next
            guard value(bytes, &place, attribute.kind, after: opening) else { break }
            guard number == count - 1, place + 1 < bytes.count, bytes[place] == UInt8(ascii: "/"),
                bytes[place + 1] == UInt8(ascii: ">")
            else { continue }
            output.append(UInt8(ascii: "}"))
            met.append(shape)
            parts += 2 + count
            index = place + 2
            return true
        }
        output.removeLast(output.count - written)
        return false
    }

    /// Writes an element, from the end of its name to the end of the element.
    private mutating func object(_ bytes: Span<UInt8>, _ index: inout Int, _ shape: Int) -> Bool {
        output.append(UInt8(ascii: "{"))
        var used: UInt64 = 0
        var next = 0
        var isDeclared = true
        while true {
            let before = index
            while index < bytes.count, MarkupReader.isSpace(bytes[index]) { index += 1 }
            guard index + 1 < bytes.count else { return false }
            if bytes[index] == UInt8(ascii: "/") {
                guard bytes[index + 1] == UInt8(ascii: ">") else { return false }
                index += 2
                let areInOrder = used == 1 << UInt64(next) - 1
                known.shapes[shape].similarCount = isDeclared && areInOrder ? next : 0
                break
            }
            if bytes[index] == UInt8(ascii: ">") {
                index += 1
                known.shapes[shape].similarCount = 0
                guard members(bytes, &index, of: shape, isFirst: used == 0) else { return false }
                guard endTag(bytes, &index, shape) else { return false }
                parts += 1
                break
            }
            guard index > before, let place = known.attribute(bytes, at: index, of: shape, from: next),
                used & (1 << UInt64(place)) == 0
            else { return false }
            let attribute = known.attributes[shape][place]
            let opening = used == 0 ? attribute.next.dropFirst() : attribute.next
            used |= 1 << UInt64(place)
            next = place + 1
            parts += 1
            index += attribute.opening.count
            if attribute.isUnknown {
                unknown.append((shape, place))
                isDeclared = false
            }
            guard value(bytes, &index, attribute.kind, after: opening) else { return false }
        }
        output.append(UInt8(ascii: "}"))
        return true
    }

    private func endTag(_ bytes: Span<UInt8>, _ index: inout Int, _ shape: Int) -> Bool {
        let name = known.shapes[shape].name
        guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/"),
            bytes.matches(at: index + 2, known.names.span, name)
        else { return false }
        index += 2 + name.count
        while index < bytes.count, MarkupReader.isSpace(bytes[index]) { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: ">") else { return false }
        index += 1
        return true
    }

    /// Writes the double-quoted value that starts at `index`.
    ///
    /// - Parameter opening: What is written before it, in the names.
    @inline(__always)
    private mutating func value(
        _ bytes: Span<UInt8>, _ index: inout Int, _ kind: AttributeKind, after opening: Range<Int>
    ) -> Bool {
        let start = index
        let end = JSONEscaping.endOfLiteral(bytes, from: start) { bytes.endOfPlainMarkup(from: $0) }
        guard kind != .time, end < bytes.count, bytes[end] == UInt8(ascii: "\""),
            !MarkupReader.endsInRecord(bytes, start..<end)
        else {
            Self.copy(known.names, opening, to: &output)
            return unusual(bytes, &index, kind, endOfLiteral: end)
        }
        let text = bytes.extracting(start..<end)
        // The quotes of a string are those of the attribute.
        let token = kind == .measurement && JSONNumber.matches(text) ? start..<end : (start - 1)..<(end + 1)
        Self.copy(known.names, opening, and: bytes.extracting(token), to: &output)
        index = end + 1
        return true
    }

    /// Writes a time, or a value that does not stand for itself.
    private mutating func unusual(
        _ bytes: Span<UInt8>, _ index: inout Int, _ kind: AttributeKind, endOfLiteral: Int
    ) -> Bool {
        let start = index
        index = endOfLiteral
        let isLiteral = index < bytes.count && bytes[index] == UInt8(ascii: "\"")
        while true {
            guard index < bytes.count, bytes[index] != UInt8(ascii: "<") else { return false }
            if bytes[index] == UInt8(ascii: "\"") { break }
            index += 1
        }
        let range = start..<index
        guard !MarkupReader.endsInRecord(bytes, range) else { return false }
        index += 1
        guard kind == .time else { return kind != .measurement && resolved(bytes, range) }
        let text = bytes.extracting(range)
        // A time already in ISO format would look like a converted one, and a text that is not a time must be counted.
        guard isLiteral, text.count == Timestamp.length, text[10] == UInt8(ascii: " "),
            times.read(bytes, at: start) != nil
        else { return false }
        output.append(addingCapacity: Timestamp.length + 2) { (output: inout OutputSpan<UInt8>) in
            output.append(UInt8(ascii: "\""))
            output.append(copying: text.extracting(0..<10))
            output.append(UInt8(ascii: "T"))
            output.append(copying: text.extracting(11..<19))
            output.append(copying: text.extracting(20..<23))
            output.append(UInt8(ascii: ":"))
            output.append(copying: text.extracting(23..<25))
            output.append(UInt8(ascii: "\""))
        }
        return true
    }

    /// Writes a value with references, backslashes, control characters or bytes that are not UTF-8.
    private mutating func resolved(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var oddities = ScanOddities()
        let text = AttributeText.resolve(bytes, range, &oddities)
        return JSONEscaping.append(text.span, to: &output) == 0 && oddities.isEmpty
    }

    // Static, so that no exclusive access covers both the names and the output.

    @inline(__always)
    private static func copy(_ names: [UInt8], _ range: Range<Int>, to output: inout [UInt8]) {
        output.append(copying: names.span.extracting(range))
    }

    @inline(__always)
    private static func copy(
        _ names: [UInt8], _ range: Range<Int>, and text: Span<UInt8>, to output: inout [UInt8]
    ) {
        let names = names.span
        output.append(addingCapacity: range.count + text.count) { (output: inout OutputSpan<UInt8>) in
            output.append(copying: names.extracting(range))
            output.append(copying: text)
        }
    }
}
