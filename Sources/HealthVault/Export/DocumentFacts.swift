import AppleHealthExport
import HealthModel

/// What the first elements of a document say of the whole: export date and locale.
struct DocumentFacts: Sendable {
    private(set) var exportDate = ""
    private(set) var locale = ""
    private(set) var characteristics: [Characteristic] = []

    mutating func take(_ kind: RowKind, _ values: Span<UInt8>) {
        switch kind.element {
        case "ExportDate": exportDate = text("value", kind, values) ?? exportDate
        case "HealthData": locale = text("locale", kind, values) ?? locale
        case "Me":
            characteristics = kind.context.slots.compactMap { slot in
                text(slot.name, kind, values).map { Characteristic(identifier: slot.name, value: $0) }
            }
        default: break
        }
    }

    /// The text of an attribute of a row.
    private func text(_ name: String, _ kind: RowKind, _ values: Span<UInt8>) -> String? {
        RowValueReader.text(name, kind.context, values)
    }
}
