import HealthFormats
import SampleBatches

/// The rows of a batch that start in a time, in the order of their starts.
struct SelectedRows: Sendable {
    /// Number of rows.
    let count: Int
    /// The rows in order; nil for all, as they are.
    private(set) var order: [Int]?

    init(of batch: StoredColumns, in range: Range<Int>) {
        let isUnlimited = range == .min ..< .max
        guard let starts = AttributeKind.startNames.lazy.compactMap({ batch.instants(of: $0) }).first,
            let first = starts.first
        else {
            // Without a start they are in no time but all of it.
            count = isUnlimited ? batch.count : 0
            return
        }
        // Negative as soon as one is before another; instants are such that no distance overflows.
        var steps = 0
        var (lowest, highest, last) = (first, first, first)
        let span = starts.span
        for row in span.indices {
            steps |= span[row] &- last
            lowest = min(lowest, span[row])
            highest = max(highest, span[row])
            last = span[row]
        }
        let isSorted = steps >= 0
        let isWhole = isUnlimited || range.contains(lowest) && range.contains(highest)
        guard !isSorted || !isWhole else {
            count = batch.count
            return
        }
        var rows: [Int] = []
        if isSorted {
            rows.append(contentsOf: starts.indices.lazy.filter { range.contains(starts[$0]) })
        } else {
            // Number of bits of a row; above them is its start, so that one comparison is enough.
            let bits = Int.bitWidth - starts.count.leadingZeroBitCount
            rows.append(addingCapacity: starts.count) { (output: inout OutputSpan<Int>) in
                for row in span.indices where isWhole || range.contains(span[row]) {
                    output.append((span[row] &- lowest) << bits | row)
                }
            }
            Self.sort(&rows)
            let mask = 1 << bits - 1
            var numbers = rows.mutableSpan
            for place in numbers.indices { numbers[place] &= mask }
        }
        count = rows.count
        order = rows
    }

    /// Sorts keys that are nearly in order: what several devices record arrives a few rows late.
    private static func sort(_ keys: inout [Int]) {
        if !insert(&keys, moves: 16 * keys.count) { keys.sort() }
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
