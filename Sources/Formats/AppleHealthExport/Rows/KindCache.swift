import ByteSpans
import CivilTime
import JSONText
import SampleBatches

/// The kinds of rows seen so far, and the templates that recognise them, most recently used first.
struct KindCache {
    private var templates: [RowTemplate.Key: RowTemplate] = [:]
    /// The most recently used templates.
    private var recent: [RowTemplate] = []
    /// The most recently used templates of elements that start alike, mostly those of one type; with
    /// ``KindCache/short``, of all that have a value near their start.
    private var alike: [UInt64: [RowTemplate]] = [:]
    private var kinds: [KindKey: RowKind] = [:]
    private var serial = 0
    /// The approximate memory taken by the kinds, in bytes.
    private var bytesHeld = 0
    private let usesTemplates: Bool

    init(usesTemplates: Bool) { self.usesTemplates = usesTemplates }

    private struct KindKey: Hashable {
        /// Names are compared as bytes: two spellings that Unicode treats as equal are different names.
        let element: HashedBytes
        let context: HashedBytes
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
    /// The size in bytes above which the kinds are cleared.
    private static let byteLimit = 6 << 20
    /// The number of templates at which the templates are cleared.
    private static let templateLimit = 1 << 12

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
        guard let entry = alike.index(forKey: start) else { return nil }
        return Self.match(bytes, at: index, in: &alike.values[entry], after: &lead, &times, &cells)
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

    /// Returns a hash of the bytes that tell types apart; ``KindCache/short`` if there are fewer.
    private static func start(of bytes: Span<UInt8>, at index: Int) -> UInt64 {
        guard bytes.count - index >= startLength else { return short }
        var hash: UInt64 = 0
        for offset in stride(from: 0, to: startLength, by: 8) {
            hash = (hash ^ bytes.word(at: index + offset)) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 32
        }
        return hash
    }

    /// Reads the attributes of a start tag and their values, and returns the kind.
    mutating func kind(
        _ bytes: Span<UInt8>, _ tag: StartTag, isCompilable: Bool, _ census: inout Census,
        _ values: inout RowValues
    ) -> (RowKind, Timestamp?, ScanOddities) {
        let element = String(decoding: bytes.array(tag.name), as: UTF8.self)
        var oddities = ScanOddities()
        var reader = AttributeReader(element: element)
        for attribute in tag.attributes {
            let name = String(decoding: bytes.array(attribute.name), as: UTF8.self)
            reader.add(name: name, text: AttributeText.resolve(bytes, attribute.value, &oddities))
        }
        oddities.duplicateAttributes += AttributeNames.duplicates(reader.slots.map(\.name))
        oddities.malformedBytes += reader.malformedBytes
        oddities.unreadableDates += reader.unreadableTimes
        values = reader.values
        let kind = kind(element, BatchContext(slots: reader.slots), &census)
        // Oddities must be found and counted each time.
        if usesTemplates, isCompilable, !tag.hasSingleQuotes, oddities.isEmpty { learn(bytes, tag, kind) }
        return (kind, reader.start, oddities)
    }

    /// Reads stray text as a value, and returns its kind.
    mutating func kind(
        ofText text: [UInt8], _ census: inout Census, _ values: inout RowValues
    ) -> (RowKind, ScanOddities) {
        var reader = AttributeReader(element: StrayText.element)
        reader.add(name: StrayText.attribute, text: text)
        values = reader.values
        var oddities = ScanOddities()
        oddities.strayTexts = 1
        oddities.malformedBytes = reader.malformedBytes
        return (kind(StrayText.element, BatchContext(slots: reader.slots), &census), oddities)
    }

    private mutating func kind(
        _ element: String, _ context: BatchContext, _ census: inout Census
    ) -> RowKind {
        let key = KindKey(element: HashedBytes(Array(element.utf8)), context: HashedBytes(context.json))
        if let kind = kinds[key] { return kind }
        serial += 1
        let type = context.constant("type").map {
            String(decoding: JSONEscaping.text(ofToken: $0), as: UTF8.self)
        }
        let kind = RowKind(
            element: element, type: type ?? "", context: context, serial: serial,
            censusIndex: census.index(of: ExactName(element)),
            typeIndex: type.flatMap { $0.isEmpty ? nil : census.typeIndex(of: element, $0) },
            unknownAttributes: context.slots.map(\.name).filter {
                DeclaredNames.isUnknown(attribute: $0, of: element)
            }.map { census.index(ofAttribute: ExactName(element + "/@" + $0)) })
        kinds[key] = kind
        bytesHeld += context.memorySize
        return kind
    }

    /// Makes a template from a start tag, unless it could match elements of another kind.
    private mutating func learn(_ bytes: Span<UInt8>, _ tag: StartTag, _ kind: RowKind) {
        if templates.count >= Self.templateLimit { forgetTemplates() }
        guard let key = compile(bytes, tag, kind) else { return }
        // The template exists but was not used recently. Each spelling of a kind has its own template.
        if let known = templates[key] {
            moveToFront(known)
            return
        }
        let template = RowTemplate(kind: kind, key: key)
        templates[key] = template
        moveToFront(template)
    }

    /// Moves a template to the front, where it is tried first.
    private mutating func moveToFront(_ template: RowTemplate) {
        Self.moveToFront(template, in: &recent, most: Self.tries)
        let before = template.pattern.textBeforeValues.span
        let start = Self.start(of: before, at: 0)
        Self.moveToFront(template, in: &alike[start, default: []], most: Self.triesAlike)
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
                // A text that is not a time here may be a time in the next element.
                guard attributeKind != .time else { return nil }
                holes.append(.text(measured: attributeKind == .measurement))
                hole = attribute.value
            case .enclosed:
                guard let pointer = pointer(bytes, attribute.value) else { return nil }
                holes.append(.pointer)
                hole = pointer
            }
            literal += bytes.array(start..<hole.lowerBound)
            cuts.append(literal.count)
            start = hole.upperBound
        }
        guard !tag.attributes.isEmpty, holes.count <= Self.mostHoles else { return nil }
        literal += bytes.array(start..<(tag.end - (tag.isEmpty ? 2 : 1)))
        guard literal.count <= Self.longestLiteral else { return nil }
        // A copy without spare capacity, because there may be thousands of templates.
        return RowTemplate.Key(literal: HashedBytes(literal.span.array), cuts: cuts, holes: holes)
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

    /// Whether the kinds take more memory than allowed.
    var isFull: Bool { bytesHeld > Self.byteLimit }

    /// Removes all kinds and templates.
    mutating func removeAll() {
        kinds.removeAll()
        bytesHeld = 0
        forgetTemplates()
    }

    private mutating func forgetTemplates() {
        templates.removeAll()
        recent.removeAll()
        alike.removeAll()
    }
}
