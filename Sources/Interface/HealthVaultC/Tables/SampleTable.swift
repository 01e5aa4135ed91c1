import ByteText
import HealthArchive
import HealthFormats
import HealthModel
import SampleBatches

/// Makes columns of samples.
struct SampleTable: Sendable {
    private let columns: [SampleColumn]
    private let isPlain: Bool
    private let selection: SpanSelection

    init(_ columns: [SampleColumn], isPlain: Bool, _ selection: SpanSelection) {
        self.columns = columns
        self.isPlain = isPlain
        self.selection = selection
    }

    /// Its columns.
    var schema: ArrowField { .table(columns.map { $0.field(isPlain: isPlain) }) }

    /// The columns of a batch that are needed; nil if samples must be read one by one.
    var wanted: StoredColumns.Wanted? {
        guard !selection.needsContent, !columns.contains(where: \.needsSamples) else { return nil }
        var times = AttributeKind.startNames
        if columns.contains(.endDate) { times.append("endDate") }
        if columns.contains(.creationDate) { times.append("creationDate") }
        return StoredColumns.Wanted(
            times: times, values: columns.contains(.value) || columns.contains(.valueText),
            positions: columns.contains(.position), contexts: columns.contains(where: \.isOfContext),
            shared: SampleColumn.sharedAttributes)
    }

    /// Returns what collects the rows of batches of which columns are read.
    ///
    /// - Parameter count: The number of rows to make room for.
    func builder(rows count: Int) -> SampleTableBuilder {
        SampleTableBuilder(columns, isPlain: isPlain, in: selection.range, rows: count)
    }

    /// Returns the selected rows of a span, read one by one and sorted by start; nil if there are none.
    ///
    /// - Parameter parts: The batches of the span.
    func rows(of parts: [SampleBatch]) -> ArrowColumn? { rows(of: Samples(span: parts)) }

    /// Returns the selected ones of some samples; nil if there are none.
    func rows(of samples: Samples<AnySample>) -> ArrowColumn? {
        let isUnlimited = selection.range == .min ..< .max
        let chosen = samples.indices.filter { index in
            let sample = samples[index]
            if selection.needsContent, !sample.row.hasContent { return false }
            if isUnlimited { return true }
            guard var start = samples.start(at: index) else { return false }
            if sample.startDate == nil {
                start = selection.days.start(of: Timestamp(seconds: start, offsetMinutes: 0).day)
            }
            return selection.range.contains(start)
        }.map { samples[$0] }
        guard !chosen.isEmpty else { return nil }
        return ArrowColumn(rows: chosen.count, columns.map { column($0, chosen) })
    }

    private func column(_ column: SampleColumn, _ samples: [AnySample]) -> ArrowColumn {
        switch column {
        case .type: texts(samples) { $0.sampleType.identifier }
        case .startDate: ArrowColumn(times: samples.map(\.startDate))
        case .endDate: ArrowColumn(times: samples.map(\.endDate))
        case .creationDate: ArrowColumn(times: samples.map(\.creationDate))
        case .value: ArrowColumn(optional: samples.map { $0.row.number("value") })
        case .valueText: texts(samples) { $0.row.number("value") == nil ? $0.value : nil }
        case .unit: texts(samples) { $0.unit }
        case .sourceName: texts(samples) { $0.sourceName }
        case .sourceVersion: texts(samples) { $0.sourceVersion }
        case .device: texts(samples) { $0.device?.name }
        case .position: ArrowColumn(samples.map { Int64($0.position) })
        case .id: ArrowColumn(texts: samples.map(\.id.description))
        case .metadata:
            ArrowColumn(maps: samples.map { $0.metadata.entries.map { ($0.key, $0.value) } })
        case .attributes:
            ArrowColumn(maps: samples.map { sample in sample.row.attributeNames.map { ($0, sample[$0]) } })
        case .content:
            ArrowColumn(
                texts: samples.map { sample in
                    sample.row.hasContent ? String(decoding: sample.row.content, as: UTF8.self) : nil
                })
        }
    }

    private func texts(_ samples: [AnySample], _ text: (AnySample) -> String?) -> ArrowColumn {
        TextColumn(samples.map(text)).column(isPlain: isPlain)
    }
}
