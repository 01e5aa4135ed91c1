import HealthTypes
import JSONText
import SampleBatches

/// What changes in the rows of a context when their values get other units.
struct ContextConversion {
    /// What the rows have in common then.
    let context: BatchContext
    /// The conversions of values that each row has, by slot.
    let values: [Int: TextConversion]

    /// Looks up what changes.
    ///
    /// - Returns: nil if nothing does.
    init?(_ context: BatchContext, of key: SampleBatch.Key, _ system: MeasurementSystem) {
        guard !context.isOdd else { return nil }
        var slots = context.slots
        var values: [Int: TextConversion] = [:]
        var hasChanged = false
        for measured in MeasuredAttributes.all(of: key.element) {
            guard let unit = slots.firstIndex(where: { $0.name == measured.unit }),
                case .constant(_, let token) = slots[unit],
                let conversion = TextConversion(
                    from: JSONEscaping.text(ofToken: token), of: measured.type ?? AnySampleType(key.type),
                    in: system)
            else { continue }
            let own = slots.indices.filter { measured.values.contains(slots[$0].name) }
            guard let converted = Self.converted(own.map { slots[$0] }, conversion) else { continue }
            for (place, slot) in zip(own, converted) {
                slots[place] = slot
                if case .text = slot { values[place] = conversion }
            }
            var text: [UInt8] = []
            JSONEscaping.append(conversion.unit.span, to: &text)
            slots[unit] = .constant(name: measured.unit, text: text)
            hasChanged = true
        }
        guard hasChanged else { return nil }
        self.context = BatchContext(slots: slots, like: context)
        self.values = values
    }

    /// Returns slots with values in the other unit; nil if one of them has no number.
    private static func converted(
        _ slots: [BatchContext.Slot], _ conversion: TextConversion
    ) -> [BatchContext.Slot]? {
        var converted: [BatchContext.Slot] = []
        for slot in slots {
            switch slot {
            case .text: converted.append(slot)
            case .constant(let name, let token):
                guard let text = conversion.text(token.span) else { return nil }
                converted.append(.constant(name: name, text: text))
            case .enclosed, .time: return nil
            }
        }
        return converted
    }
}
