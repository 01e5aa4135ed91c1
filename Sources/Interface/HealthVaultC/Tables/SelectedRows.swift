import HealthFormats
import SampleBatches

/// The rows of a batch that start in a time, in the order of their starts.
struct SelectedRows: Sendable {
    /// Number of rows.
    let count: Int
    /// The rows in order; nil for all, as they are.
    private(set) var order: [Int]?

    init(of batch: StoredColumns, in range: Range<Int>) {
        let starts = AttributeKind.startNames.lazy.compactMap { batch.times[$0] }.first
        guard let starts else {
            // Without a start they are in no time but all of it.
            count = range == .min ..< .max ? batch.count : 0
            return
        }
        var (isSorted, isWhole) = (true, true)
        var last = Int.min
        for start in starts {
            isSorted = isSorted && start >= last
            isWhole = isWhole && range.contains(start)
            last = start
        }
        guard !isSorted || !isWhole else {
            count = batch.count
            return
        }
        var order = Array(starts.indices)
        if !isWhole { order.removeAll { !range.contains(starts[$0]) } }
        if !isSorted { order.sort { (starts[$0], $0) < (starts[$1], $1) } }
        count = order.count
        self.order = order
    }
}
