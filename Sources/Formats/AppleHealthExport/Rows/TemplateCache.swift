import ByteText
import SampleBatches

/// The templates that recognise elements; those used last are tried first.
struct TemplateCache {
    /// The last ones that matched.
    private var recent: [RowTemplate] = []
    /// All templates, by the hash of how their elements start, which is mostly that of a type; those with a value near
    /// the start are under ``TemplateCache/short``.
    private var alike: [UInt64: Alike] = [:]
    private var count = 0

    private struct Alike {
        var templates: [RowTemplate] = []
        /// Whether one of them matched, or was made, since the last call of ``TemplateCache/removeUnused()``.
        var isUsed = true
    }

    /// The number of templates to try before those that start alike.
    private static let tries = 4
    /// The number of templates that start alike to try before reading an element attribute by attribute.
    private static let triesAlike = 64
    /// The number of bytes that tell types apart.
    private static let startLength = 64
    private static let short: UInt64 = 0
    /// The maximum number of values in a template; elements with more are read attribute by attribute.
    static let mostHoles = 64
    /// The maximum length of a template's literal text, in bytes; longer elements are read attribute by attribute.
    private static let longestLiteral = 1 << 12
    /// The number of templates at which all are cleared.
    private static let limit = 1 << 12

    /// Matches the element at `index` against the most recently used templates.
    ///
    /// - Parameter cells: Receives its values as the first row of a block.
    @inline(__always)
    mutating func match(
        _ bytes: Span<UInt8>, at index: Int, after lead: inout RowTemplate.Pattern.Lead,
        _ times: inout TimeReader, _ cells: inout MutableSpan<Int>
    ) -> (template: RowTemplate, match: RowTemplate.Pattern.Match)? {
        if let found = Self.match(bytes, at: index, in: &recent, after: &lead, &times, &cells) {
            return found
        }
        guard
            let found = match(
                bytes, at: index, startingAs: Self.start(of: bytes, at: index), after: &lead, &times, &cells)
                ?? match(bytes, at: index, startingAs: Self.short, after: &lead, &times, &cells)
        else { return nil }
        Self.moveToFront(found.template, in: &recent, most: Self.tries)
        return found
    }

    /// Matches the element at `index` against templates that start alike.
    private mutating func match(
        _ bytes: Span<UInt8>, at index: Int, startingAs start: UInt64,
        after lead: inout RowTemplate.Pattern.Lead, _ times: inout TimeReader, _ cells: inout MutableSpan<Int>
    ) -> (template: RowTemplate, match: RowTemplate.Pattern.Match)? {
        guard let entry = alike.index(forKey: start),
            let found = Self.match(
                bytes, at: index, in: &alike.values[entry].templates, after: &lead, &times, &cells)
        else { return nil }
        alike.values[entry].isUsed = true
        return found
    }

    /// Matches the element at `index` against some templates, the one that matches becoming the first.
    @inline(__always)
    private static func match(
        _ bytes: Span<UInt8>, at index: Int, in templates: inout [RowTemplate],
        after lead: inout RowTemplate.Pattern.Lead, _ times: inout TimeReader, _ cells: inout MutableSpan<Int>
    ) -> (template: RowTemplate, match: RowTemplate.Pattern.Match)? {
        for rank in templates.indices {
            let template = templates[rank]
            guard
                let match = template.pattern.match(bytes, at: index, after: &lead, &times, row: 0, &cells)
            else {
                lead = RowTemplate.Pattern.Lead()
                continue
            }
            // If types alternate, it is mostly in pairs.
            if rank > 0 { templates.swapAt(0, rank) }
            return (template, match)
        }
        return nil
    }

    /// Returns a hash of the bytes that tell types apart; ``TemplateCache/short`` if there are fewer.
    private static func start(of bytes: Span<UInt8>, at index: Int) -> UInt64 {
        guard bytes.count - index >= startLength else { return short }
        return LookupHash.hash(bytes.extracting(index..<(index + startLength)))
    }

    private static func start(of key: RowTemplate.Key) -> UInt64 {
        let before = key.textBeforeValues
        return start(of: before.span, at: 0)
    }

    /// Makes a template from a start tag, unless it could match elements of another kind.
    mutating func learn(_ bytes: Span<UInt8>, _ tag: StartTag, _ kind: RowKind) {
        guard let key = compile(bytes, tag, kind) else { return }
        if count >= Self.limit { removeAll() }
        let start = Self.start(of: key)
        var alike = self.alike.removeValue(forKey: start) ?? Alike()
        // Each spelling of a kind has its own template. There may be one that did not match because of a value.
        let known = alike.templates.first { $0.key == key }
        let template = known ?? RowTemplate(kind: kind, key: key, like: recent.first)
        count -= alike.templates.count
        Self.moveToFront(template, in: &alike.templates, most: Self.triesAlike)
        count += alike.templates.count
        alike.isUsed = true
        self.alike[start] = alike
        Self.moveToFront(template, in: &recent, most: Self.tries)
    }

    private static func moveToFront(_ template: RowTemplate, in templates: inout [RowTemplate], most: Int) {
        if let rank = templates.firstIndex(where: { $0 === template }) {
            templates.remove(at: rank)
        } else if templates.count >= most {
            templates.removeLast()
        }
        templates.insert(template, at: 0)
    }

    private func compile(
        _ bytes: Span<UInt8>, _ tag: StartTag, _ kind: RowKind
    ) -> RowTemplate.Key? {
        let slots = kind.context.slots
        guard slots.count == tag.attributes.count else { return nil }
        var literal: [UInt8] = []
        var cuts: [Int] = []
        var holes: [RowTemplate.Hole] = []
        var start = tag.name.lowerBound - 1
        for (slot, attribute) in zip(slots, tag.attributes) {
            let hole: Range<Int>
            switch slot {
            case .constant: continue
            case .time(_, let offsetMinutes):
                guard attribute.value.count == Timestamp.length else { return nil }
                holes.append(.time(offsetMinutes: offsetMinutes))
                hole = attribute.value
            case .text(let name):
                let attributeKind = AttributeKind(of: name, in: kind.element)
                // A text that is not a time here may be a time in the next element; and no template matches a long one.
                guard attributeKind != .time, attribute.value.count <= RowTemplate.Pattern.longestText else {
                    return nil
                }
                holes.append(.text(measured: attributeKind == .measurement))
                hole = attribute.value
            case .enclosed:
                guard let pointer = pointer(bytes, attribute.value) else { return nil }
                holes.append(.pointer)
                hole = pointer
            }
            literal.append(copying: bytes.extracting(start..<hole.lowerBound))
            cuts.append(literal.count)
            start = hole.upperBound
        }
        guard !tag.attributes.isEmpty, holes.count <= Self.mostHoles else { return nil }
        literal.append(copying: bytes.extracting(start..<(tag.end - (tag.isEmpty ? 2 : 1))))
        guard literal.count <= Self.longestLiteral else { return nil }
        // A copy without spare capacity, because there may be thousands of templates.
        return RowTemplate.Key(literal: literal.span.array, cuts: cuts, holes: holes)
    }

    /// Returns the range of the pointer in a device description, escaped as Apple does; nil if there is none.
    private func pointer(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Range<Int>? {
        let before = Array("&lt;&lt;HKDevice: 0x".utf8)
        let after = Array("&gt;".utf8)
        guard bytes.matches(at: value.lowerBound, before.span, 0..<before.count) else { return nil }
        let end = bytes.extracting(..<value.upperBound)
            .endOfHexadecimal(from: value.lowerBound + before.count)
        guard end > value.lowerBound + before.count, bytes.matches(at: end, after.span, 0..<after.count)
        else {
            return nil
        }
        return (value.lowerBound + before.count - 2)..<end
    }

    /// Removes the templates none of whose like was needed since the last call.
    mutating func removeUnused() {
        let last = Set(recent.map { Self.start(of: $0.key) })
        alike = alike.filter { $0.value.isUsed || last.contains($0.key) }
        for start in alike.keys { alike[start]?.isUsed = false }
        count = alike.values.total(\.templates.count)
    }

    /// Removes all templates.
    mutating func removeAll() {
        recent.removeAll()
        alike.removeAll()
        count = 0
    }
}
