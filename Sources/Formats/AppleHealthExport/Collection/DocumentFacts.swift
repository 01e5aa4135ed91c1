package import HealthModel
import SampleBatches

/// The facts about a document from its first elements: export date, locale and characteristics.
package struct DocumentFacts: Sendable {
    package private(set) var exportDate = ""
    package private(set) var locale = ""
    package private(set) var characteristics = Characteristics([:])

    /// Creates empty facts.
    package init() {}

    /// The number of first elements that may contain facts; later elements with the same names are ordinary samples.
    private static let rows = 16

    /// Returns whether the element at a position may contain facts.
    package static func mayHave(at position: Int) -> Bool { position < rows }

    /// Updates the facts with a row, given with its cells and the bytes with their tokens.
    package mutating func update(
        _ kind: RowKind, at position: Int, _ cells: Span<Int>, _ bytes: Span<UInt8>
    ) {
        guard Self.mayHave(at: position) else { return }
        switch kind.element {
        case "ExportDate": exportDate = text("value", kind, cells, bytes) ?? exportDate
        case "HealthData": locale = text("locale", kind, cells, bytes) ?? locale
        case "Me":
            let facts = kind.context.slots.compactMap { slot in
                text(slot.name, kind, cells, bytes).map { (slot.name, $0) }
            }
            characteristics = Characteristics(Dictionary(facts) { first, _ in first })
        default: break
        }
    }

    /// Returns the text of a row's attribute.
    private func text(_ name: String, _ kind: RowKind, _ cells: Span<Int>, _ bytes: Span<UInt8>) -> String? {
        kind.context.text(name, cells, bytes)
    }
}
