import ByteText
import SampleBatches

/// Reads the contents of elements, each of which is kept for a while, because most metadata repeats.
///
/// A content of one of the last rows is known by its bytes. Others are read: almost all of them are plain, and become JSON in
/// one pass (`ContentShapes`), by which an object with the same content is found. The rest is looked for by its bytes, because
/// reading it takes long.
struct ContentCache {
    private struct Entry {
        /// The content's JSON object, or the content in the document and the end tag after it, if that is not plain.
        var key: [UInt8] = []
        /// The name of the element, by which the content's elements are counted, and which its end tag has.
        var element: [UInt8] = []
        /// The number by which the content is known.
        var number = noContent
        var content: RowContent?
    }

    private var entries = [Entry](repeating: Entry(), count: size)
    /// The hashes of the keys of the entries, so that other entries need not be looked at.
    private var digests = [UInt64?](repeating: nil, count: size)
    /// The name of the last element with an entry, which is mostly that of the next.
    private var lastElement: [UInt8] = []
    /// The most recently used contents, which are compared before anything is read.
    private var recent = RecentContents()
    /// The shapes; nil if the general parser reads all contents.
    private var shapes: ContentShapes?

    private static let size = 1024
    /// The maximum length of a content to keep, in bytes; longer content rarely repeats.
    static let longest = 1024

    init(usesShapes: Bool) { shapes = usesShapes ? ContentShapes() : nil }

    /// The number of no content.
    static let noContent = 0
    /// The content that was read last, unless it is the last of the recent ones; nil if the element had none that remains.
    private var last: RowContent?
    /// Whether the content that was read last is one of the recent ones.
    private var isRecent = false
    private var lastNumber = noContent
    private var count = noContent

    /// Returns the content that was read last; nil if the element had none that remains.
    ///
    /// A long one is not kept: then no number is that of the content before, so that it is looked up again.
    mutating func takeLast() -> RowContent? {
        if isRecent { return recent.last }
        defer {
            if let last, last.json.count > Self.longest {
                self.last = nil
                lastNumber = Self.noContent
            }
        }
        return last
    }

    /// Reads the content of the element whose start tag ends at `start`; ``takeLast()`` returns it.
    ///
    /// - Returns: Its number, and the offset after its end tag. If the number is that of the content before, it is the same
    ///   content, though the same content may also have another number.
    @inline(__always)
    mutating func number(
        _ bytes: Span<UInt8>, at start: Int, ofElement name: Range<Int>, _ census: inout Census,
        _ oddities: inout ScanOddities
    ) throws(MarkupIssue) -> (Int, Int) {
        if let (number, next) = recent.match(bytes, at: start, ofElement: name) {
            isRecent = true
            lastNumber = number
            return (number, next)
        }
        isRecent = false
        if let next = readPlain(bytes, at: start, ofElement: name, &census) { return (lastNumber, next) }
        let next = try readAny(bytes, at: start, ofElement: name, &census, &oddities)
        return (lastNumber, next)
    }

    /// Reads a plain content.
    ///
    /// - Returns: The offset after its end tag; nil if it is not plain.
    private mutating func readPlain(
        _ bytes: Span<UInt8>, at start: Int, ofElement name: Range<Int>, _ census: inout Census
    ) -> Int? {
        guard let (end, next) = shapes?.read(bytes, at: start, ofElement: name), let json = shapes?.json
        else { return nil }
        let digest = LookupHash.hash(json.span)
        let source = ContentSource(range: start..<next, name: (end + 2)..<(end + 2 + name.count))
        if recall(json.span, digest, bytes, name) {
            if next - start <= Self.longest { recent.insert(last, lastNumber, bytes, source) }
            return next
        }
        remember(shapes?.content(digest: digest, &census))
        if next - start <= Self.longest, let last { keep(last.json, digest, bytes, source) }
        return next
    }

    /// Reads any content.
    ///
    /// - Returns: The offset after its end tag.
    private mutating func readAny(
        _ bytes: Span<UInt8>, at start: Int, ofElement name: Range<Int>, _ census: inout Census,
        _ oddities: inout ScanOddities
    ) throws(MarkupIssue) -> Int {
        let (end, next) = try MarkupReader.content(bytes, at: start, ofElement: name)
        let element = bytes.array(name)
        guard next - start <= Self.longest else {
            remember(try parse(bytes, start..<end, element, &census, &oddities))
            return next
        }
        let text = bytes.extracting(start..<next)
        let digest = LookupHash.hash(text)
        let source = ContentSource(range: start..<next, name: (end + 2)..<(end + 2 + name.count))
        if recall(text, digest, bytes, name) {
            recent.insert(last, lastNumber, bytes, source)
            return next
        }
        let before = oddities
        remember(try parse(bytes, start..<end, element, &census, &oddities))
        // Oddities must be counted each time.
        if oddities == before { keep(text.array, digest, bytes, source) }
        return next
    }

    /// Makes a new content the one that was read last.
    private mutating func remember(_ content: RowContent?) {
        count += 1
        (last, lastNumber) = (content, count)
    }

    /// Makes the content of a key the one that was read last; returns false if there is no entry for it.
    private mutating func recall(
        _ key: Span<UInt8>, _ digest: UInt64, _ bytes: Span<UInt8>, _ name: Range<Int>
    ) -> Bool {
        let place = Self.place(digest)
        guard digests[place] == digest, entries[place].key.count == key.count,
            key.matches(at: 0, entries[place].key), entries[place].element.count == name.count,
            bytes.matches(at: name.lowerBound, entries[place].element)
        else { return false }
        (last, lastNumber) = (entries[place].content, entries[place].number)
        return true
    }

    /// Keeps the content that was read last, in place of another one.
    private mutating func keep(
        _ key: [UInt8], _ digest: UInt64, _ bytes: Span<UInt8>, _ source: ContentSource
    ) {
        if lastElement.count != source.name.count || !bytes.matches(at: source.name.lowerBound, lastElement) {
            lastElement = bytes.array(source.name)
        }
        let place = Self.place(digest)
        digests[place] = digest
        entries[place] = Entry(key: key, element: lastElement, number: lastNumber, content: last)
        // Content seen only once may never recur, so it does not evict content that does.
        if !recent.isFull { recent.insert(last, lastNumber, bytes, source) }
    }

    /// Parses content.
    ///
    /// If none remains, its oddities are counted here, because no `RowContent` carries them.
    private func parse(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ element: [UInt8], _ census: inout Census,
        _ oddities: inout ScanOddities
    ) throws(MarkupIssue) -> RowContent? {
        if let zeros = MarkupReader.zeros(bytes, range) { throw .problem(.zeros, at: zeros) }
        var parser = ContentParser()
        let children = try parser.children(bytes, range)
        var odd = parser.oddities
        guard let written = ContentWriter.json(of: children) else {
            oddities.add(odd, times: 1)
            return nil
        }
        odd.malformedBytes += written.malformedBytes
        let element = String(decoding: element, as: UTF8.self)
        let counts = parser.census.sorted { $0.key < $1.key }.map {
            (census.index(of: ExactName(element + $0.key.text)), $0.value)
        }
        let unknown = parser.unknownAttributes.sorted { $0.key < $1.key }.map {
            (census.index(ofAttribute: ExactName(element + $0.key.text)), $0.value)
        }
        return RowContent(HashedBytes(written.json), oddities: odd, census: counts + unknown)
    }

    private static func place(_ digest: UInt64) -> Int { Int(truncatingIfNeeded: digest) & (size - 1) }
}

/// Where a content stands in a window, with the end tag after it.
private struct ContentSource {
    let range: Range<Int>
    /// The name in the end tag.
    let name: Range<Int>
}

/// The most recently used contents, in one block of memory: they are compared for each row, without counting references.
private struct RecentContents {
    /// The texts, each in a slot of its own.
    private var text = [UInt8](repeating: 0, count: slots * ContentCache.longest)
    private var places: [Place] = []
    private var contents: [RowContent?] = []
    /// The slot that matched last, which is tried first.
    private var lastSlot = 0
    /// The slot that is overwritten next.
    private var next = 0

    /// The number of contents to try.
    private static let slots = 4

    private struct Place {
        /// The number of the content.
        let number: Int
        /// The length of the content and the end tag after it.
        let length: Int
        /// The offset of the name in the end tag.
        let name: Int
        let nameLength: Int
    }

    /// Whether another content takes the place of one of these.
    var isFull: Bool { places.count == Self.slots }

    /// The content that matched last.
    var last: RowContent? { contents[lastSlot] }

    /// Returns the number of the content at `start`, and the offset after the end tag, if it is one of these in an element
    /// of the same name.
    @inline(__always)
    mutating func match(
        _ bytes: Span<UInt8>, at start: Int, ofElement name: Range<Int>
    ) -> (number: Int, next: Int)? {
        guard let slot = slot(of: bytes, at: start, name) else { return nil }
        lastSlot = slot
        return (places[slot].number, start + places[slot].length)
    }

    @inline(__always)
    private func slot(of bytes: Span<UInt8>, at start: Int, _ name: Range<Int>) -> Int? {
        let text = text.span
        for number in places.indices {
            let slot = number == 0 ? lastSlot : number <= lastSlot ? number - 1 : number
            let place = places[slot]
            let first = slot * ContentCache.longest
            if place.nameLength == name.count,
                bytes.matches(at: start, text, first..<(first + place.length)),
                text.matches(at: first + place.name, bytes, name)
            {
                return slot
            }
        }
        return nil
    }

    /// Inserts a content with its number in the place of the oldest.
    ///
    /// - Parameters:
    ///   - source: Where it stands, with at most ``ContentCache/longest`` bytes.
    mutating func insert(
        _ content: RowContent?, _ number: Int, _ bytes: Span<UInt8>, _ source: ContentSource
    ) {
        let range = source.range
        let place = Place(
            number: number, length: range.count, name: source.name.lowerBound - range.lowerBound,
            nameLength: source.name.count)
        if isFull {
            places[next] = place
            contents[next] = content
        } else {
            places.append(place)
            contents.append(content)
        }
        let start = next * ContentCache.longest
        var target = text.mutableSpan
        target.copy(bytes.extracting(range), to: start)
        lastSlot = next
        next = (next + 1) % Self.slots
    }
}
