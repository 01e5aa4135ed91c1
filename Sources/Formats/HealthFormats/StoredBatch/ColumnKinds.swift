/// The kinds of values in the columns of a stored batch, derived from the contexts of its rows.
struct ColumnKinds {
    /// For each column, the number of its values of each kind.
    private(set) var counts: [Counts]

    struct Counts {
        var integers = 0
        var tokens = 0

        var isMixed: Bool { integers > 0 && tokens > 0 }
    }

    /// Counts the values of rows with these contexts.
    ///
    /// - Throws: `inconsistent` if a context, or the column of one of its slots, does not exist.
    init(_ layout: StepLayout, columns: Int, contexts: [Int]) throws(FormatError) {
        counts = [Counts](repeating: Counts(), count: columns)
        var uses = [Int](repeating: 0, count: layout.contextCount)
        for context in contexts {
            guard uses.indices.contains(context) else { throw FormatError(.inconsistent) }
            uses[context] += 1
        }
        for context in uses.indices where uses[context] > 0 {
            for step in layout.steps(of: context) {
                guard step.column >= 0 else { throw FormatError(.inconsistent) }
                if step.instants == nil {
                    counts[step.column].tokens += uses[context]
                } else {
                    counts[step.column].integers += uses[context]
                }
            }
        }
    }

    /// Returns, for each column of mixed kinds, whether each of its values is an integer; an empty array for other
    /// columns.
    func orders(_ layout: StepLayout, contexts: ArraySlice<Int>) -> [[Bool]] {
        var orders = [[Bool]](repeating: [], count: counts.count)
        guard counts.contains(where: \.isMixed) else { return orders }
        for context in contexts {
            for step in layout.steps(of: context) where counts[step.column].isMixed {
                orders[step.column].append(step.instants != nil)
            }
        }
        return orders
    }
}
