import ByteText
import HealthModel
import SampleBatches

/// How the values of a batch's rows become parts of an `Observation`, looked up once for all rows.
struct RecordLayout: Sendable {
    /// What a value is.
    enum Role: UInt8, Sendable {
        case start, end, created, value, other
    }

    /// A column of a context.
    struct Column: Sendable {
        let role: Role
        /// The UTC offset that an instant is written with.
        let offsetMinutes: Int
    }

    /// How the number of a row becomes the value of a quantity.
    enum Conversion: Sendable {
        /// As it is written, multiplied by a power of ten.
        case shift(Int)
        /// Computed.
        case factor(UnitConversion, isPercent: Bool)
        /// The unit cannot be converted.
        case none
    }

    /// What the rows of a context share.
    struct Context: Sendable {
        /// What recorded them.
        let device: DeviceResource?
        /// The text from the value of the identifier up to the time.
        let body: [UInt8]
        let conversion: Conversion
        /// The text after the number: the unit and the closing brace.
        let unit: [UInt8]
        /// The token of a value that is the same in all rows.
        let value: [UInt8]?
        /// Whether the rows have metadata in attributes, as iOS 8 writes it.
        let hasAttributeMetadata: Bool
        /// The number of attributes that have no place in a resource.
        let otherCount: Int
    }

    /// The columns of all contexts, concatenated.
    private(set) var columns: [Column] = []
    private(set) var contexts: [Context] = []
    /// Whether rows name a unit.
    private(set) var hasUnits = false

    init(_ batch: SampleBatch, _ text: ObservationText, _ mapper: FHIRMapper) {
        for context in batch.contexts {
            for column in context.columns {
                let slot = context.slots[column.slot]
                var offset = 0
                if case .time(_, let minutes) = slot { offset = minutes }
                columns.append(Column(role: Self.role(slot, column), offsetMinutes: offset))
            }
            let unit = Self.unit(context)
            // No resource has the unit of a category.
            let isLost = unit != nil && batch.sampleType.kind == .category
            if unit != nil, !isLost { hasUnits = true }
            contexts.append(
                Self.context(context, isLost ? nil : unit, text, mapper, otherCount: isLost ? 1 : 0))
        }
    }

    private static func role(_ slot: BatchContext.Slot, _ column: BatchContext.Column) -> Role {
        switch (slot.name, column.isTime) {
        // Times of iOS 8 are texts.
        case ("startDate", _): .start
        case ("endDate", _): .end
        case ("creationDate", _): .created
        case ("value", false): .value
        default: .other
        }
    }

    /// Returns the unit that rows name; an empty text names none.
    private static func unit(_ context: BatchContext) -> String? {
        ContextFields(context).text("unit").flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func context(
        _ context: BatchContext, _ unitText: String?, _ text: ObservationText, _ mapper: FHIRMapper,
        otherCount: Int
    ) -> Context {
        let fields = ContextFields(context)
        let device = DeviceResource(context)
        var body = text.body
        if let device {
            body += Array(",\"device\":{\"reference\":\"\(mapper.reference(to: device))\"}".utf8)
        }
        let source = unitText.flatMap { try? HealthUnit($0) }
        var target = text.mapping.unit ?? source.map { FHIRUnit($0) }
        if let source, let unit = target?.unit, !source.isCompatible(with: unit), text.mapping.profile == nil
        {
            // Better in another unit than not at all; a profile allows no other.
            target = FHIRUnit(source)
        }
        return Context(
            device: device, body: body, conversion: conversion(from: source, unitText, to: target),
            unit: unitPiece(target, unitText), value: context.constant("value"),
            hasAttributeMetadata: fields.metadataNames != nil,
            otherCount: fields.metadataNames == nil
                ? otherCount + context.slots.count { !known.contains($0.name) } : otherCount)
    }

    private static func conversion(
        from source: HealthUnit?, _ sourceText: String?, to target: FHIRUnit?
    ) -> Conversion {
        guard let target else { return .shift(0) }
        guard let source else { return sourceText == nil ? .shift(target.isPercent ? 2 : 0) : .none }
        if source == target.unit { return .shift(target.isPercent ? 2 : 0) }
        return source.conversion(to: target.unit).map { .factor($0, isPercent: target.isPercent) } ?? .none
    }

    private static func unitPiece(_ unit: FHIRUnit?, _ text: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let unit { ObservedQuantity.writeUnit(unit, &writer) } else { writer.text("unit", text) }
        }
        let members = writer.bytes.dropFirst()
        return (members.count > 1 ? [UInt8(ascii: ",")] : []) + members
    }

    private static let known: Set<String> = [
        "type", "unit", "value", "sourceName", "sourceVersion", "device", "creationDate", "startDate",
        "endDate",
    ]
}
