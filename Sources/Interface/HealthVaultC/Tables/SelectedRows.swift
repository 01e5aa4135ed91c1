import HealthFormats
import SampleBatches

/// The rows of a batch that start in a time, in the order of their starts.
struct SelectedRows: Sendable {
    /// Number of rows.
    let count: Int
    /// The rows in order; nil for all, as they are.
    private(set) var order: [Int]?

    init(of batch: StoredColumns, in range: Range<Int>) {
        guard let starts = AttributeKind.startNames.lazy.compactMap({ batch.instants(of: $0) }).first,
            let first = starts.first, let last = starts.last
        else {
            // Without a start they are in no time but all of it.
            count = range == .min ..< .max ? batch.count : 0
            return
        }
        let isSorted = Self.isSorted(starts.span)
        guard !isSorted || !range.contains(first) || !range.contains(last) else {
            count = batch.count
            return
        }
        let rows =
            isSorted
            ? starts.indices.filter { range.contains(starts[$0]) } : Self.sortedRows(starts.span, in: range)
        count = rows.count
        order = rows
    }

    private static func isSorted(_ starts: Span<Int>) -> Bool {
        // Negative as soon as one is before another; instants are such that no distance overflows.
        var steps = 0
        for row in starts.indices.dropFirst() { steps |= starts[row] &- starts[row - 1] }
        return steps >= 0
    }

    /// Returns the rows whose starts are in a range, sorted by them.
    private static func sortedRows(_ starts: Span<Int>, in range: Range<Int>) -> [Int] {
        // Number of bits of a row; above them is its start, so that one comparison is enough.
        let bits = Int.bitWidth - starts.count.leadingZeroBitCount
        let first = starts[0]
        var rows: [Int] = []
        rows.append(addingCapacity: starts.count) { (output: inout OutputSpan<Int>) in
            for row in starts.indices where range.contains(starts[row]) {
                output.append((starts[row] &- first) << bits | row)
            }
        }
        // They are nearly in order: what several devices record arrives a few rows late.
        if !insert(&rows, moves: 16 * rows.count) { rows.sort() }
        let mask = 1 << bits - 1
        var numbers = rows.mutableSpan
        for place in numbers.indices { numbers[place] &= mask }
        return rows
    }

    /// Moves each key before those that are greater; returns false after more moves than allowed.
    private static func insert(_ keys: inout [Int], moves allowed: Int) -> Bool {
        var keys = keys.mutableSpan
        var moves = 0
        // The greatest so far, which is before the next one.
        var last = Int.min
        for place in keys.indices {
            let key = keys[place]
            guard key < last else {
                last = key
                continue
            }
            var gap = place
            var before = last
            repeat {
                keys[gap] = before
                gap -= 1
                guard gap > 0 else { break }
                before = keys[gap - 1]
            } while before > key
            keys[gap] = key
            moves += place - gap
            guard moves <= allowed else { return false }
        }
        return true
    }

    /// Appends what `body` makes of the values of these rows.
    @inline(__always)
    func append<Value, Number: BitwiseCopyable>(
        _ values: [Value], to output: inout OutputSpan<Number>, _ body: (Value) -> Number
    ) {
        let span = values.span
        if let order {
            for row in order { output.append(body(span[row])) }
        } else {
            for row in span.indices { output.append(body(span[row])) }
        }
    }

    /// Returns what `body` makes of the values of these rows.
    @inline(__always)
    func chosen<Value, Result>(_ values: [Value], _ body: (Value) -> Result) -> [Result] {
        order.map { order in order.map { body(values[$0]) } } ?? values.map(body)
    }
}
