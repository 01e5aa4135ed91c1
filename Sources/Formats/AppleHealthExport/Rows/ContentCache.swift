import ByteSpans
import SampleBatches

/// Caches recent contents by their source bytes, because most metadata repeats.
struct ContentCache {
    /// A class, so that an entry can be examined without being copied.
    private final class Entry: Sendable {
        let hash: UInt64
        /// The name of the element that the end tag was checked against.
        let element: ExactName
        /// The content and the end tag after it.
        let bytes: [UInt8]
        let content: RowContent?

        init(hash: UInt64, element: ExactName, bytes: [UInt8], content: RowContent?) {
            self.hash = hash
            self.element = element
            self.bytes = bytes
            self.content = content
        }
    }

    private var entries = [Entry?](repeating: nil, count: size)
    /// The most recently used contents, which are tried before searching for the end of the content.
    private var recent = RecentContents()
    /// The shapes; nil if the general parser reads all contents.
    private var shapes: ContentShapes?

    private static let size = 1024
    /// The maximum length of cached content, in bytes; longer content rarely repeats.
    static let longest = 1024

    init(usesShapes: Bool) { shapes = usesShapes ? ContentShapes() : nil }

    /// The number of no content.
    static let noContent = 0
    /// The content that was read last; nil if the element had none that remains.
    private var last: RowContent?
    private var lastNumber = noContent
    private var count = noContent

    /// Returns the content that was read last; nil if the element had none that remains.
    ///
    /// A long one is not kept: then no number is that of the content before, so that it is looked up again.
    mutating func takeLast() -> RowContent? {
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
        _ bytes: Span<UInt8>, at start: Int, ofElement name: Range<Int>, _ element: @autoclosure () -> String,
        _ census: inout Census, _ oddities: inout ScanOddities
    ) throws(MarkupIssue) -> (Int, Int) {
        if let (number, next) = recent.match(bytes, at: start, ofElement: name) {
            if number != lastNumber { last = recent.last }
            lastNumber = number
            return (number, next)
        }
        count += 1
        let (content, next) = try find(bytes, at: start, ofElement: name, element(), &census, &oddities)
        last = content
        lastNumber = count
        return (count, next)
    }

    private mutating func find(
        _ bytes: Span<UInt8>, at start: Int, ofElement name: Range<Int>, _ element: String,
        _ census: inout Census, _ oddities: inout ScanOddities
    ) throws(MarkupIssue) -> (RowContent?, Int) {
        let (end, next) = try MarkupReader.content(bytes, at: start, ofElement: name)
        guard next - start <= Self.longest else {
            return (try parse(bytes, start..<end, element, &census, &oddities), next)
        }
        let hash = Self.hash(bytes, start..<next)
        let place = Int(truncatingIfNeeded: hash >> 32) & (Self.size - 1)
        if let entry = entries[place], entry.hash == hash, entry.element == ExactName(element),
            entry.bytes.count == next - start,
            bytes.matches(at: start, entry.bytes)
        {
            recent.insert(entry.content, count, bytes, start..<next, nameAt: end + 2, name.count)
            return (entry.content, next)
        }
        let before = oddities
        let content = try parse(bytes, start..<end, element, &census, &oddities)
        // Oddities must be counted each time.
        guard oddities == before else { return (content, next) }
        let entry = Entry(
            hash: hash, element: ExactName(element), bytes: bytes.array(start..<next), content: content)
        entries[place] = entry
        // Content seen only once may never recur, so it does not evict content that does.
        if !recent.isFull {
            recent.insert(content, count, bytes, start..<next, nameAt: end + 2, name.count)
        }
        return (content, next)
    }

    /// Parses content.
    ///
    /// If none remains, its oddities are counted here, because no `RowContent` carries them.
    private mutating func parse(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ element: String, _ census: inout Census,
        _ oddities: inout ScanOddities
    ) throws(MarkupIssue) -> RowContent? {
        if let zeros = MarkupReader.zeros(bytes, range) { throw .problem(.zeros, at: zeros) }
        if let content = shapes?.content(bytes, range, element, &census) { return content }
        var parser = ContentParser()
        let children = try parser.children(bytes, range)
        var odd = parser.oddities
        guard let written = ContentWriter.json(of: children) else {
            oddities.add(odd, times: 1)
            return nil
        }
        odd.malformedBytes += written.malformedBytes
        let counts = parser.census.sorted { $0.key < $1.key }.map {
            (census.index(of: ExactName(element + $0.key.text)), $0.value)
        }
        let unknown = parser.unknownAttributes.sorted { $0.key < $1.key }.map {
            (census.index(ofAttribute: ExactName(element + $0.key.text)), $0.value)
        }
        return RowContent(json: written.json, oddities: odd, census: counts + unknown)
    }

    /// Returns a fast hash for lookup only; the bytes are compared as well.
    private static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var hash = UInt64(range.count) &* 0x9e37_79b9_7f4a_7c15
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            hash = (hash ^ bytes.word(at: index)) &* 0xff51_afd7_ed55_8ccd
            hash ^= hash >> 32
            index += 8
        }
        while index < range.upperBound {
            hash = (hash ^ UInt64(bytes[index])) &* 0xff51_afd7_ed55_8ccd
            index += 1
        }
        return hash ^ hash >> 29
    }
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
    ///   - range: The range of the content and its end tag, at most ``ContentCache/longest`` bytes.
    ///   - name: The offset of the name in the end tag.
    mutating func insert(
        _ content: RowContent?, _ number: Int, _ bytes: Span<UInt8>, _ range: Range<Int>, nameAt name: Int,
        _ nameLength: Int
    ) {
        let place = Place(
            number: number, length: range.count, name: name - range.lowerBound, nameLength: nameLength)
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
