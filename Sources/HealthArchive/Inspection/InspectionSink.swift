package import AppleHealthExport
package import BatchCollection
import HealthModel
import JSONText
package import SampleBatches

/// Counts rows by type.
package struct InspectionSink: RowSink {
    private var types: [TypeKey: Inspector.TypeSummary] = [:]
    private var contexts: [Int: BatchContext] = [:]
    /// The sources in contexts that were released.
    private var sources: Set<ExactName> = []
    package private(set) var facts = DocumentFacts()

    package init() {}

    package mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, values: Span<UInt8>
    ) {
        let key = TypeKey(element: kind.element, type: kind.type)
        if contexts.updateValue(kind.context, forKey: kind.serial) == nil {
            // The number of kinds is unlimited, and the list must not be.
            if contexts.count > 20_000 {
                BatchFacts.addSources(of: contexts.values, to: &sources)
                contexts.removeAll()
            }
        }
        facts.update(kind, at: position, values)
        var summary = types[key] ?? Inspector.TypeSummary(element: kind.element, type: kind.type)
        summary.add(count: 1, first: start, last: start)
        types[key] = summary
    }

    package func report() -> Inspector.Report {
        var report = Inspector.Report()
        report.types = types.sorted { $0.key < $1.key }.map(\.value)
        var sources = sources
        BatchFacts.addSources(of: contexts.values, to: &sources)
        report.sources = sources.sorted().map(\.text)
        report.exportDate = facts.exportDate
        report.locale = facts.locale
        return report
    }
}
