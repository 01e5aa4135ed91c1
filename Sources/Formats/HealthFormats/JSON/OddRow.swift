import ByteText
import SampleBatches

/// A row that is assembled attribute by attribute, because the flat form may be unable to represent it.
struct OddRow: Sendable {
    private let element: String
    private let style: FlatRowStyle
    private var texts = RowTexts()

    init(element: String, style: FlatRowStyle) {
        self.element = element
        self.style = style
    }

    mutating func start(_ context: BatchContext) { texts.start(context) }

    mutating func setValue(_ value: SampleBatch.Value, slot: Int, _ bytes: Span<UInt8>) {
        texts.setValue(value, slot: slot, bytes)
    }

    /// Appends the row, without its closing brace.
    func finish(position: Int, _ addition: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let attributes = texts.attributes
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("element", element)
            if style.hasPosition { writer.member("position", position) }
            FlatAttributes.write(attributes, in: element, &writer)
        }
        output += writer.bytes.dropLast()
        output += addition
    }
}

extension FlatAttributes {
    /// Writes attributes as members of an object, preceded by their exact texts if the members cannot represent them.
    static func write(_ attributes: [ElementNode.Attribute], in element: String, _ writer: inout JSONWriter) {
        if isOdd(attributes, in: element) { writeList(attributes, &writer) }
        for attribute in flat(attributes) {
            var value: [UInt8] = []
            _ = append(attribute, in: element, to: &value)
            writer.key(attribute.name)
            writer.raw(value.span)
        }
    }

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
