import ByteText

/// The properties of a context that follow from the names of its slots and from how they are stored.
///
/// Thousands of contexts differ only in the texts and offsets of their slots, and share it.
final class ContextForm: Sendable {
    /// The slots that are not constant.
    let columns: [BatchContext.Column]
    /// The names of the attributes with times, in order.
    let timeNames: [String]
    /// The number of the slot whose instant determines the span of a row.
    let startSlot: Int?
    /// For elements without such an instant, the number of the slot whose text says when they start.
    let startTextSlot: Int?
    /// Whether that text is a day.
    let startsOnDay: Bool
    /// Whether an attribute occurs twice or has a reserved name.
    let isOdd: Bool
    /// Whether an attribute is odd, or one with a time is not stored as an instant, but as a text that may be odd.
    let mayBeOdd: Bool

    /// Determines the form of a context.
    init(_ slots: [BatchContext.Slot]) {
        columns = slots.indices.compactMap { number in
            switch slots[number] {
            case .constant: nil
            case .text, .enclosed: BatchContext.Column(slot: number, isTime: false)
            case .time: BatchContext.Column(slot: number, isTime: true)
            }
        }
        timeNames = slots.compactMap { slot in if case .time(let name, _) = slot { name } else { nil } }
        startSlot =
            AttributeKind.startNames.lazy.compactMap { wanted in
                slots.firstIndex { slot in
                    if case .time(let name, _) = slot { name == wanted } else { false }
                }
            }.first
        func textSlot(_ wanted: String) -> Int? {
            slots.firstIndex { slot in if case .text(let name) = slot { name == wanted } else { false } }
        }
        let daySlot = textSlot(AttributeKind.dayName)
        startsOnDay = startSlot == nil && daySlot != nil
        startTextSlot =
            startSlot == nil
            ? daySlot ?? AttributeKind.startNames.lazy.compactMap { textSlot($0) }.first : nil
        let names = slots.map(\.name)
        isOdd =
            AttributeNames.duplicates(names) > 0
            || names.contains { ReservedName.isReserved(attribute: $0) }
        mayBeOdd =
            isOdd
            || slots.contains { slot in
                if case .time = slot { false } else { AttributeKind(of: slot.name, in: "") == .time }
            }
    }
}

extension BatchContext.Slot {
    /// Whether another slot has the same name and is stored in the same way.
    func isLike(_ other: Self) -> Bool {
        switch (self, other) {
        case (.constant(let name, _), .constant(let another, _)), (.text(let name), .text(let another)),
            (.enclosed(let name, _, _), .enclosed(let another, _, _)),
            (.time(let name, _), .time(let another, _)):
            ExactName(name) == ExactName(another)
        default: false
        }
    }
}
