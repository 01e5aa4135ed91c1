public import ByteText
public import SampleBatches

/// A sample as it is in the source: an element whose attributes and content are read on demand.
///
/// Typed samples are views of such rows; a row gives access to everything they have no property for.
public struct SampleRow: Sendable {
    @usableFromInline let storage: SampleStorage
    @usableFromInline let index: Int

    @inlinable
    @inline(__always)
    init(_ storage: SampleStorage, _ index: Int) {
        self.storage = storage
        self.index = index
    }

    /// Creates a row from an element.
    public init(_ element: ElementNode) {
        let type = element.attributes.first { $0.name == "type" }
        let typeText = type.map { String(decoding: $0.text, as: UTF8.self) } ?? ""
        let key = SampleBatch.Key(element: element.name, type: typeText, span: "", part: 1)
        var builder = SampleBatchBuilder(key: key)
        builder.append(element, AttributeReader(element), position: 0)
        self.init(SampleStorage([builder.batch]), 0)
    }

    @inlinable var place: SampleStorage.Place { storage.places[index] }
    @inlinable var part: SampleStorage.Part { storage.parts[place.part] }
    /// What the row has in common with other rows of its batch.
    @inlinable package var context: SampleContext {
        let place = place
        let part = storage.parts[place.part]
        return part.contexts[part.batch.context(at: place.cell)]
    }

    /// The type of the sample.
    public var type: AnySampleType { storage.type }
    /// The name of its element: `Record`, `Workout`, ...
    public var element: String { part.batch.key.element }
    /// Its position in the source, which distinguishes it from all others of the same source.
    public var position: Int { place.position }

    /// When it starts, in seconds since 1970, for a day its midnight in UTC; nil if it has no start.
    package var startSecond: Int? {
        let start = place.start
        return start == .min ? nil : start
    }

    /// The names of the attributes, in the order written.
    public var attributeNames: [String] { context.fields.names }

    /// The text of an attribute; instants are in ISO form.
    public subscript(_ name: String) -> String? {
        switch context.fields[name] {
        case nil: nil
        case .constant(let token)?: SampleText.text(ofToken: token)
        case .text(let cell)?: SampleText.text(ofToken: token(cell))
        case .enclosed(let cell, let before, let after)?:
            SampleText.text(ofToken: Self.joined(before, token(cell), after))
        case .time?: time(name)?.iso
        }
    }

    private func token(_ cell: Int) -> [UInt8] { part.batch.token(at: place.cell, cell) }

    private static func joined(_ before: [UInt8], _ token: [UInt8], _ after: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "\"")] + before + token.dropFirst().dropLast() + after + [UInt8(ascii: "\"")]
    }

    /// Returns the instant in an attribute; nil if it is missing or not in Apple's form.
    public func time(_ name: String) -> Timestamp? { time(context.fields[name]) }

    /// Returns the number in an attribute; nil if it is not a finite number.
    public func number(_ name: String) -> Double? { number(context.fields[name]) }

    /// Returns the instant in a field of its context.
    package func time(_ field: ContextFields.Field?) -> Timestamp? {
        let place = place
        let part = storage.parts[place.part]
        return part.time(field, part.contexts[part.batch.context(at: place.cell)], at: place.cell)
    }

    /// Returns the number in a field of its context.
    package func number(_ field: ContextFields.Field?) -> Double? { part.number(field, at: place.cell) }

    /// When it starts.
    @inlinable var startDate: Timestamp? {
        let place = place
        let part = storage.parts[place.part]
        let context = part.contexts[part.batch.context(at: place.cell)]
        return part.time(context.start, context, at: place.cell)
    }

    /// When it ends.
    @inlinable var endDate: Timestamp? {
        let place = place
        let part = storage.parts[place.part]
        let context = part.contexts[part.batch.context(at: place.cell)]
        return part.time(context.end, context, at: place.cell)
    }

    /// The number in the attribute `value`; nil if it is not a finite number.
    @inlinable var value: Double? {
        let place = place
        let part = storage.parts[place.part]
        return part.number(part.contexts[part.batch.context(at: place.cell)].value, at: place.cell)
    }

    /// The nested content, in the order written; empty if its JSON cannot be read.
    public var children: [ElementNode.Child] {
        part.batch.content(at: place.cell).flatMap { try? ContentReader.children(of: $0) } ?? []
    }

    /// Returns the nested elements with this name.
    public func elements(_ name: String) -> [ElementNode] { children.elements(name) }

    /// The metadata in attributes, as iOS 8 writes it; such records name their source with another attribute.
    var attributeMetadata: [Metadata.Entry] {
        guard element == "Record", let names = context.metadataNames else { return [] }
        return names.map { Metadata.Entry(key: $0, value: self[$0] ?? "") }
    }

    /// The nested content as a JSON object, as an archive stores it; empty if there is none.
    public var content: [UInt8] { part.batch.content(at: place.cell) ?? [] }

    /// Whether it has nested content.
    public var hasContent: Bool { part.batch.contentNumber(at: place.cell) > 0 }

    /// The identity and, for identical records, the number of those before it.
    public var id: SampleID {
        let identity = storage.identity(at: place)
        return SampleID(
            type: type, identity: identity, ordinal: storage.ordinal(at: index, of: identity))
    }

    /// Appends the identifier in its textual form.
    package func appendID(to output: inout [UInt8]) {
        let identity = storage.identity(at: place)
        SampleID.append(identity, ordinal: storage.ordinal(at: index, of: identity), to: &output)
    }

    /// Replaces a text with that of the attribute `value` as written; empty if there is none.
    package func readValue(into text: inout [UInt8]) {
        text.removeAll(keepingCapacity: true)
        if case .text(let cell)? = context.value {
            let token = part.batch.tokenRange(at: place.cell, cell)
            if SampleText.append(plainToken: token, of: part.batch.text, to: &text) { return }
        }
        if let value = self["value"] { text += value.utf8 }
    }
}

extension SampleRow: Hashable {
    /// Whether both have the same element, attributes and content; their positions in the source may differ.
    public static func == (left: SampleRow, right: SampleRow) -> Bool {
        left.element == right.element && left.attributeNames == right.attributeNames
            && left.attributeNames.allSatisfy { left[$0] == right[$0] && left.time($0) == right.time($0) }
            && left.part.batch.content(at: left.place.cell)
                == right.part.batch.content(at: right.place.cell)
    }

    /// Feeds type and start to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(place.start)
    }
}

extension SampleRow {
    /// A batch that contains only this row.
    package var batch: SampleBatch { part.batch.batch(ofRowAt: place.cell) }

    /// The row as an element, with times in Apple's form.
    var node: ElementNode {
        var element = ElementNode(name: element)
        for name in attributeNames {
            let text = time(name).map(\.apple) ?? self[name]
            element.add(name, text)
        }
        element.children = children
        return element
    }
}

/// Decoding of texts in rows.
enum SampleText: Sendable {
    /// Appends the text of a token that is a number, or a string of printable ASCII without escapes.
    ///
    /// - Returns: Whether it is one; if not, nothing is appended.
    static func append(
        plainToken token: Range<Int>, of tokens: [UInt8], to text: inout [UInt8]
    ) -> Bool {
        let isString = !token.isEmpty && tokens[token.lowerBound] == UInt8(ascii: "\"")
        guard !isString || token.count >= 2 else { return false }
        let content = isString ? (token.lowerBound + 1)..<(token.upperBound - 1) : token
        for index in content where !isPlain(tokens[index]) { return false }
        text.append(copying: tokens.span.extracting(content))
        return true
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\\")
    }

    /// Returns the text of a JSON token; invalid UTF-8 becomes a replacement character.
    static func text(ofToken token: [UInt8]) -> String {
        String(decoding: JSONEscaping.text(ofToken: token), as: UTF8.self)
    }
}
