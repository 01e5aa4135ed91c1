import HealthFormats
import HealthModel
import SampleBatches

/// Collects the values of one column of several batches.
struct ColumnBuilder {
    private let column: SampleColumn
    // Only one of them is used, as the column demands.
    private var integers = NumberColumn<Int64>()
    private var doubles = NumberColumn<Double>()
    private var texts = TextColumn()

    /// Creates a column without rows, with room for some.
    init(_ column: SampleColumn, rows count: Int) {
        self.column = column
        switch column {
        case .startDate, .endDate, .creationDate, .position: integers.reserve(count)
        case .value: doubles.reserve(count)
        default: texts.reserve(count)
        }
    }

    /// Appends the values of the selected rows of a batch.
    mutating func append(_ batch: StoredColumns, _ rows: SelectedRows) {
        switch column {
        case .type:
            texts.append(batch.key.sampleType.identifier, count: rows.count)
        case .startDate:
            append(times: AttributeKind.startNames.lazy.compactMap { batch.instants(of: $0) }.first, rows)
        case .endDate: append(times: batch.instants(of: "endDate"), rows)
        case .creationDate: append(times: batch.instants(of: "creationDate"), rows)
        case .position:
            integers.append(count: rows.count) { output in
                rows.append(batch.positions, to: &output) { Int64($0) }
            }
        case .value: append(numbersOf: batch, rows)
        case .valueText: append(textsOf: batch, rows)
        case .unit: append(of: batch, rows) { $0.text("unit") }
        case .sourceName: append(of: batch, rows, \.sourceName)
        case .sourceVersion: append(of: batch, rows) { $0.text("sourceVersion") }
        case .device: append(of: batch, rows) { $0.device?.name }
        case .id, .metadata, .attributes, .content: preconditionFailure("made sample by sample")
        }
    }

    /// Returns the column.
    func made(isPlain: Bool) -> ArrowColumn {
        switch column {
        case .startDate, .endDate, .creationDate, .position: integers.column
        case .value: doubles.column
        default: texts.column(isPlain: isPlain)
        }
    }

    private mutating func append(times instants: [Int]?, _ rows: SelectedRows) {
        guard let instants else { return integers.append(nulls: rows.count) }
        integers.append(count: rows.count) { output in
            rows.append(instants, to: &output) { Int64($0) &* 1_000_000 }
        }
    }

    private mutating func append(numbersOf batch: StoredColumns, _ rows: SelectedRows) {
        guard let found = batch.values else { return doubles.append(nulls: rows.count) }
        doubles.append(
            count: rows.count,
            are: found.textNumbers.isEmpty ? nil : rows.chosen(found.textNumbers) { $0 < 0 }
        ) { output in
            rows.append(found.numbers, to: &output) { $0 }
        }
    }

    private mutating func append(textsOf batch: StoredColumns, _ rows: SelectedRows) {
        guard let found = batch.values, !found.textNumbers.isEmpty else {
            return texts.append(nil, count: rows.count)
        }
        let numbers = found.texts.map { texts.number(of: $0) }
        texts.append(count: rows.count) { output in
            rows.append(found.textNumbers, to: &output) { $0 < 0 ? -1 : numbers[Int($0)] }
        }
    }

    /// Appends a text that the rows of a context have in common.
    private mutating func append(
        of batch: StoredColumns, _ rows: SelectedRows, _ text: (ContextFields) -> String?
    ) {
        let found = batch.contexts.map { text($0.fields).map { ExactName($0) } }
        let first = found.first ?? nil
        if found.allSatisfy({ $0 == first }) { return texts.append(first?.text, count: rows.count) }
        let numbers = found.map { name in name.map { texts.number(of: $0.text) } ?? -1 }
        texts.append(count: rows.count) { output in
            rows.append(batch.contextNumbers, to: &output) { numbers[$0] }
        }
    }
}
