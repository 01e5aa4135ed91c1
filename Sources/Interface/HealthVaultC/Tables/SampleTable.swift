import CivilTime
import HealthModel
import SampleBatches

/// Makes columns of the samples of spans.
struct SampleTable: Sendable {
    let columns: [SampleColumn]
    let isPlain: Bool
    /// The starts of the samples to include, in seconds since 1970.
    let range: Range<Int>
    /// The rule for days, by which samples that have only a day are placed.
    let days: Days
    /// Whether to include only samples with nested elements, such as those with heartbeats.
    let needsContent: Bool

    /// Its columns.
    var schema: ArrowField { .table(columns.map { $0.field(isPlain: isPlain) }) }

    /// Returns the selected rows of a span; nil if there are none.
    ///
    /// - Parameter parts: The batches of the span.
    func rows(of parts: [SampleBatch]) -> ArrowColumn? {
        let samples = Samples(span: parts)
        let isUnlimited = range == .min ..< .max
        let chosen = samples.indices.filter { index in
            let sample = samples[index]
            if needsContent, !sample.row.hasContent { return false }
            if isUnlimited { return true }
            guard var start = samples.start(at: index) else { return false }
            if sample.startDate == nil {
                start = days.start(of: Timestamp(seconds: start, offsetMinutes: 0).day)
            }
            return range.contains(start)
        }.map { samples[$0] }
        guard !chosen.isEmpty else { return nil }
        return ArrowColumn(rows: chosen.count, columns.map { column($0, chosen) })
    }

    private func column(_ column: SampleColumn, _ samples: [AnySample]) -> ArrowColumn {
        switch column {
        case .type: texts(samples) { $0.sampleType.identifier }
        case .start: Self.times(samples) { $0.startDate }
        case .end: Self.times(samples) { $0.endDate }
        case .created: Self.times(samples) { $0.creationDate }
        case .value: ArrowColumn(optional: samples.map { $0.row.number("value") })
        case .text: texts(samples) { $0.row.number("value") == nil ? $0.value : nil }
        case .unit: texts(samples) { $0.unit }
        case .source: texts(samples) { $0.sourceName }
        case .version: texts(samples) { $0.sourceVersion }
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
        var column = TextColumn(rows: samples.count)
        for sample in samples { column.append(text: text(sample)) }
        return column.column(isPlain: isPlain)
    }

    private static func times(_ samples: [AnySample], _ time: (AnySample) -> Timestamp?) -> ArrowColumn {
        ArrowColumn(times: samples.map(time))
    }
}
