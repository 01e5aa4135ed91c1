import ByteSpans
import JSONText
import SampleBatches

/// A row that is assembled attribute by attribute, because the flat form may be unable to represent it.
struct OddRow: Sendable {
    private let element: String
    private var slots: [BatchContext.Slot] = []
    private var texts: [[UInt8]] = []

    init(element: String) { self.element = element }

    mutating func start(_ context: BatchContext) {
        slots = context.slots
        texts = slots.map { slot in
            if case .constant(_, let text) = slot { JSONEscaping.text(ofToken: text) } else { [] }
        }
    }

    mutating func setValue(_ value: SampleBatch.Value, slot: Int, _ bytes: Span<UInt8>) {
        switch (value, slots[slot]) {
        case (.instant(let seconds, _), .time(_, let offsetMinutes)):
            Timestamp(seconds: seconds, offsetMinutes: offsetMinutes).appendApple(to: &texts[slot])
        case (.token(let range), .enclosed(_, let before, let after)):
            let token = range.map { bytes[$0] }
            let inside = before + token.dropFirst().dropLast() + after
            texts[slot] = JSONEscaping.text(
                ofToken: [UInt8(ascii: "\"")] + inside + [UInt8(ascii: "\"")])
        case (.token(let range), _): texts[slot] = JSONEscaping.text(ofToken: range.map { bytes[$0] })
        default: break
        }
    }

    func finish(position: Int, to output: inout [UInt8]) {
        let attributes = zip(slots, texts).map { ElementNode.Attribute($0.name, $1) }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("element", element)
            writer.member("position", position)
            if FlatAttributes.isOdd(attributes, in: element) {
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
            for attribute in FlatAttributes.flat(attributes) {
                var value: [UInt8] = []
                _ = FlatAttributes.append(attribute, in: element, to: &value)
                writer.key(attribute.name)
                writer.raw(value.span)
            }
        }
        output += writer.bytes.dropLast()
    }
}
