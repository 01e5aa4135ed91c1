import ByteText
import SampleBatches

/// A row that is assembled attribute by attribute, because the flat form may be unable to represent it.
struct OddRow: Sendable {
    private let element: String
    private let style: FlatRowStyle
    private var texts = RowTexts()
    private var slots: [BatchContext.Slot] = []
    /// The value of each attribute as a member, in JSON, which is the one that it has in a row that is not odd.
    private var values: [[UInt8]] = []

    init(element: String, style: FlatRowStyle) {
        self.element = element
        self.style = style
    }

    mutating func start(_ context: BatchContext) {
        texts.start(context)
        slots = context.slots
        values = slots.map { slot in if case .constant(_, let text) = slot { text } else { [] } }
    }

    mutating func setValue(_ value: SampleBatch.Value, slot: Int, _ bytes: Span<UInt8>) {
        texts.setValue(value, slot: slot, bytes)
        let quote = [UInt8(ascii: "\"")]
        switch (value, slots[slot]) {
        case (.instant(let seconds), .time(_, let offsetMinutes)):
            values[slot] = quote
            Timestamp(seconds: seconds, offsetMinutes: offsetMinutes).appendISO(to: &values[slot])
            values[slot] += quote
        case (.token(let range), .enclosed(_, let before, let after)):
            let inside = range.dropFirst().dropLast().map { bytes[$0] }
            values[slot] = quote + before + inside + after + quote
        case (.token(let range), _): values[slot] = range.map { bytes[$0] }
        default: break
        }
    }

    /// Appends the row, without its closing brace.
    func finish(position: Int, _ addition: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let attributes = texts.attributes
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("element", element)
            if style.hasPosition { writer.member("position", position) }
            if FlatAttributes.isOdd(attributes, in: element) { FlatAttributes.writeList(attributes, &writer) }
            var names: Set<ExactName> = []
            for (attribute, value) in zip(attributes, values)
            where names.insert(ExactName(attribute.name)).inserted
                && !ReservedName.isReserved(attribute: attribute.name)
            {
                writer.key(attribute.name)
                writer.raw(value.span)
            }
        }
        output += writer.bytes.dropLast()
        output += addition
    }
}

extension FlatAttributes {
    /// Writes the member `attributes`: names and exact texts.
    static func writeList(_ attributes: [ElementNode.Attribute], _ writer: inout JSONWriter) {
        writer.key("attributes")
        writer.array { writer in
            for attribute in attributes {
                writer.array { writer in
                    writer.string(attribute.name)
                    writer.string(bytes: attribute.text.span)
                }
            }
        }
    }
}
