import ByteSpans
public import HealthModel
import JSONText

/// Writes a batch as one flat JSON object for each row, with Apple's names for its attributes.
public struct NDJSONWriter: Sendable {
    private var templates: [RowTemplate] = []
    private var times = TimeWriter()

    /// The values of a row mostly take less.
    private static let usualValues = 256
    private static let mostReserved = 1 << 24

    /// Makes a writer.
    public init() {}

    /// Appends the rows, a line each.
    public mutating func write(_ batch: SampleBatch, to output: inout [UInt8]) {
        let element = batch.key.element
        templates = batch.contexts.map { RowTemplate($0, element: element) }
        // Growing it again and again would copy it as often.
        let lineLength = (templates.map(\.length).max() ?? 0) + Self.usualValues
        output.reserveCapacity(output.count + min(batch.count * lineLength, Self.mostReserved))
        var position = 0
        var odd = OddRow(element: element)
        batch.forEachRow { row in
            position = row.position
            if templates[row.context].mayBeOdd {
                odd.start(batch.contexts[row.context])
            } else {
                append(templates[row.context].opening, to: &output)
                JSONNumber.append(position, to: &output)
            }
        } value: { row, slot, value, bytes in
            if templates[row.context].mayBeOdd {
                odd.take(value, slot: slot, bytes)
                return
            }
            append(templates[row.context].before[slot], to: &output)
            switch (value, batch.contexts[row.context].slots[slot]) {
            case (.instant(let seconds, _), .time(_, let offsetMinutes)):
                times.appendISO(Timestamp(seconds: seconds, offsetMinutes: offsetMinutes), to: &output)
            case (.token(let range), .enclosed):
                append(bytes, (range.lowerBound + 1)..<(range.upperBound - 1), to: &output)
            case (.token(let range), _): append(bytes, range, to: &output)
            default: break
            }
        } endRow: { row in
            if templates[row.context].mayBeOdd {
                odd.finish(position: position, to: &output)
            } else {
                append(templates[row.context].closing, to: &output)
            }
            if row.content > 0 {
                output.append(UInt8(ascii: ","))
                // The members of the content become members of the row.
                let content = batch.contents[row.content - 1]
                append(content.span, 1..<(content.count - 1), to: &output)
            }
            output.append(UInt8(ascii: "}"))
            output.append(UInt8(ascii: "\n"))
        }
    }

    @inline(__always)
    private func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        output.append(copying: bytes.span)
    }

    @inline(__always)
    private func append(_ bytes: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) {
        output.append(copying: bytes.extracting(range))
    }
}

/// The text of a row around its values.
private struct RowTemplate: Sendable {
    /// Up to the position.
    let opening: [UInt8]
    /// For each slot with values of its own what stands before them, constants included.
    var before: [[UInt8]]
    /// Behind the last value.
    let closing: [UInt8]
    let mayBeOdd: Bool

    /// The length of all of it.
    var length: Int { opening.count + closing.count + before.reduce(0) { $0 + $1.count } }

    init(_ context: BatchContext, element: String) {
        mayBeOdd =
            context.isOdd
            || context.slots.contains { slot in
                if case .text(let name) = slot {
                    AttributeKind(of: name, in: element) == .time
                } else {
                    false
                }
            }
        var text = Array("{\"element\":".utf8)
        JSONEscaping.append(element, to: &text)
        text += Array(",\"position\":".utf8)
        opening = text
        text = []
        before = [[UInt8]](repeating: [], count: context.slots.count)
        for (number, slot) in context.slots.enumerated() {
            text.append(UInt8(ascii: ","))
            JSONEscaping.append(slot.name, to: &text)
            text.append(UInt8(ascii: ":"))
            switch slot {
            case .constant(_, let value): text += value
            case .text:
                before[number] = text
                text = []
            case .enclosed(_, let start, let end):
                before[number] = text + [UInt8(ascii: "\"")] + start
                text = end + [UInt8(ascii: "\"")]
            case .time:
                before[number] = text + [UInt8(ascii: "\"")]
                text = [UInt8(ascii: "\"")]
            }
        }
        closing = text
    }
}

/// A row whose attributes are put together one by one, because the flat form may not hold them.
private struct OddRow: Sendable {
    private let element: String
    private var slots: [BatchContext.Slot] = []
    private var texts: [[UInt8]] = []

    init(element: String) { self.element = element }

    mutating func start(_ context: BatchContext) {
        slots = context.slots
        texts = slots.map { slot in
            if case .constant(_, let text) = slot { Self.text(ofToken: text) } else { [] }
        }
    }

    mutating func take(_ value: SampleBatch.Value, slot: Int, _ bytes: Span<UInt8>) {
        switch (value, slots[slot]) {
        case (.instant(let seconds, _), .time(_, let offsetMinutes)):
            Timestamp(seconds: seconds, offsetMinutes: offsetMinutes).appendApple(to: &texts[slot])
        case (.token(let range), .enclosed(_, let before, let after)):
            let token = range.map { bytes[$0] }
            let inside = before + token.dropFirst().dropLast() + after
            texts[slot] = Self.text(ofToken: [UInt8(ascii: "\"")] + inside + [UInt8(ascii: "\"")])
        case (.token(let range), _): texts[slot] = Self.text(ofToken: range.map { bytes[$0] })
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

    /// The text that a JSON string or number stands for.
    private static func text(ofToken token: [UInt8]) -> [UInt8] {
        guard token.first == UInt8(ascii: "\"") else { return token }
        var reader = JSONReader(token)
        return (try? reader.stringBytes()) ?? token
    }
}
