package import AppleHealthExport
package import HealthModel
import SampleBatches

/// What the first elements of a document say of the whole: export date, locale and characteristics.
package struct DocumentFacts: Sendable {
    package private(set) var exportDate = ""
    package private(set) var locale = ""
    package private(set) var characteristics: [Characteristic] = []

    /// Nothing yet.
    package init() {}

    /// They stand among so many elements; what calls itself so further behind is a sample like others.
    static let rows = 16

    package mutating func take(_ kind: RowKind, at position: Int, _ values: Span<UInt8>) {
        guard position < Self.rows else { return }
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
