import ByteText
import HealthModel
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
            guard own.allSatisfy({ if case .text = slots[$0] { true } else { false } }) else { continue }
            for place in own { values[place] = conversion }
            var text: [UInt8] = []
            JSONEscaping.append(conversion.unit.span, to: &text)
            slots[unit] = .constant(name: measured.unit, text: text)
            hasChanged = true
        }
        guard hasChanged else { return nil }
        self.context = BatchContext(slots: slots, like: context)
        self.values = values
    }
}
