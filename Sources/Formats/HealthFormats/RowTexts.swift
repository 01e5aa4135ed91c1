import ByteText
package import SampleBatches

/// The attributes of one row at a time, with their texts in Apple's XML.
struct RowTexts: Sendable {
    private var slots: [BatchContext.Slot] = []
    private var texts: [[UInt8]] = []

    /// Starts a row with the texts that all rows of its context share.
    mutating func start(_ context: BatchContext) {
        slots = context.slots
        texts = slots.map { slot in
            if case .constant(_, let text) = slot { JSONEscaping.text(ofToken: text) } else { [] }
        }
    }

    mutating func setValue(_ value: SampleBatch.Value, slot: Int, _ bytes: Span<UInt8>) {
        switch (value, slots[slot]) {
        case (.instant(let seconds), .time(_, let offsetMinutes)):
            texts[slot].removeAll(keepingCapacity: true)
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

    /// The attributes of the row, in their original order.
    var attributes: [ElementNode.Attribute] {
        zip(slots, texts).map { ElementNode.Attribute($0.name, $1) }
    }
}

extension SampleBatch {
    /// Calls `body` with the attributes of each row, in order.
    package func forEachRowTexts(_ body: (Row, [ElementNode.Attribute]) throws -> Void) rethrows {
        var texts = RowTexts()
        try forEachRow { row in
            texts.start(contexts[row.context])
        } value: { _, slot, value, bytes in
            texts.setValue(value, slot: slot, bytes)
        } endRow: { row in
            try body(row, texts.attributes)
        }
    }
}
