package import AppleHealthExport
package import ByteText
import HealthModel
package import SampleBatches
package import SystemIO

/// A sink that counts rows by type, and finds the sources and zones that they name.
package struct InspectionSink: RowSink {
    private var types: [Inspector.TypeSummary] = []
    private var typeNumbers: [TypeKey: Int] = [:]
    private var contexts: [UInt128: BatchContext] = [:]
    /// The types of the most recent kinds, by the kinds' identifiers.
    private var recentKinds = [(kind: UInt128?, type: Int)](repeating: (nil, 0), count: 256)
    /// The sources in contexts that were released.
    private var sources: Set<ExactName> = []
    private var zones = RecordedZones()
    package private(set) var facts = DocumentFacts()

    package init() {}

    package mutating func append(
        _ kind: RowKind, content: RowContent?, position: Int, start: Timestamp?, cells: Span<Int>,
        text: Span<UInt8>, size: Int
    ) {
        facts.update(kind, at: position, cells, text)
        count(kind, content, start)
    }

    package mutating func append(
        _ kind: RowKind, contents: [RowContent], position: Int, _ rows: RowBlock, text: Span<UInt8>
    ) {
        let columns = kind.context.columns.count
        for row in 0..<rows.count {
            if DocumentFacts.mayHave(at: position + row) {
                facts.update(kind, at: position + row, rows.values(of: row, columns: columns).span, text)
            }
            let place = rows.content(of: row)
            count(kind, place == 0 ? nil : contents[place - 1], rows.start(of: row))
        }
    }

    private mutating func count(_ kind: RowKind, _ content: RowContent?, _ start: Timestamp?) {
        if let content, let start { zones.add(content: content.json, start: start.seconds) }
        let place = Int(truncatingIfNeeded: kind.identifier) & 255
        if recentKinds[place].kind != kind.identifier {
            recentKinds[place] = (kind.identifier, number(of: kind))
        }
        types[recentKinds[place].type].add(count: 1, first: start, last: start)
    }

    private mutating func number(of kind: RowKind) -> Int {
        if contexts.updateValue(kind.context, forKey: kind.identifier) == nil {
            // The number of kinds is unlimited, but the list must not be.
            if contexts.count > 20_000 {
                BatchFacts.addSources(of: contexts.values, to: &sources)
                contexts.removeAll()
            }
        }
        let key = TypeKey(element: kind.element, type: kind.type)
        if let number = typeNumbers[key] { return number }
        typeNumbers[key] = types.count
        types.append(Inspector.TypeSummary(element: kind.element, type: kind.type))
        return types.count - 1
    }

    /// Returns the zone that defines the days of the export.
    ///
    /// - Throws: `SystemError` if the file of a zone exists and cannot be read.
    package func zone() throws(SystemError) -> String {
        try ExportZone.text(
            zones, exported: Timestamp(healthApp: Array(facts.exportDate.utf8).span) ?? newest)
    }

    private var newest: Timestamp? { types.compactMap(\.last).max { $0.seconds < $1.seconds } }

    package func report() -> Inspector.Report {
        var report = Inspector.Report()
        report.types = typeNumbers.sorted { $0.key < $1.key }.map { types[$0.value] }
        var sources = sources
        BatchFacts.addSources(of: contexts.values, to: &sources)
        report.sources = sources.sorted().map(\.text)
        report.exportDate = facts.exportDate
        report.locale = facts.locale
        return report
    }
}
