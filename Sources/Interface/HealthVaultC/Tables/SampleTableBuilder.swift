import HealthFormats

/// Collects the rows of several batches into one array: many batches have few rows, and each array costs its consumer
/// something.
struct SampleTableBuilder {
    private let columns: [SampleColumn]
    private let isPlain: Bool
    private let range: Range<Int>
    private var builders: [ColumnBuilder]
    private var count = 0

    /// The most rows that room is made for before they are there.
    private static let mostReserved = 1 << 16

    init(_ columns: [SampleColumn], isPlain: Bool, in range: Range<Int>, rows count: Int) {
        self.columns = columns
        self.isPlain = isPlain
        self.range = range
        builders = columns.map { ColumnBuilder($0, rows: min(count, Self.mostReserved)) }
    }

    /// Appends the selected rows of a batch, sorted by start.
    mutating func append(_ batch: StoredColumns) {
        let rows = SelectedRows(of: batch, in: range)
        guard rows.count > 0 else { return }
        for place in builders.indices { builders[place].append(batch, rows) }
        count += rows.count
    }

    /// Returns the rows, and begins anew; nil if there are none.
    mutating func finish() -> ArrowColumn? {
        guard count > 0 else { return nil }
        let rows = ArrowColumn(rows: count, builders.map { $0.made(isPlain: isPlain) })
        builders = columns.map { ColumnBuilder($0, rows: 0) }
        count = 0
        return rows
    }
}
