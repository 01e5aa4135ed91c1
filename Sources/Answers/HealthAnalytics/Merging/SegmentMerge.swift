import HealthModel

/// The parts of samples that count once several sources are merged.
///
/// Samples are processed in groups that overlap, so that the result of a day depends only on the samples around it.
struct SegmentMerge {
    /// The rank of each source, 0 for the highest priority; nil if all sources count.
    let ranks: [Int]?

    /// Calls `body` with each part that counts: the index of its sample, its start and its end.
    func forEachPart(of columns: SampleColumns, _ body: (Int, Int, Int) -> Void) {
        var group: [Int] = []
        var groupEnd = Int.min
        for index in columns.order.lazy.map({ Int($0) }) {
            if columns.starts[index] >= groupEnd {
                flush(&group, columns, body)
                groupEnd = .min
            }
            group.append(index)
            groupEnd = max(groupEnd, columns.end(index))
        }
        flush(&group, columns, body)
    }

    private func flush(_ group: inout [Int], _ columns: SampleColumns, _ body: (Int, Int, Int) -> Void) {
        defer { group.removeAll(keepingCapacity: true) }
        guard let first = group.first else { return }
        let source = columns.sources[first]
        guard let ranks, group.contains(where: { columns.sources[$0] != source }) else {
            for index in group { body(index, columns.starts[index], columns.end(index)) }
            return
        }
        CoveredTime.forEachUncoveredPart(
            of: group, rank: { ranks[Int(columns.sources[$0])] },
            time: { (columns.starts[$0], columns.end($0)) }, body)
    }
}
