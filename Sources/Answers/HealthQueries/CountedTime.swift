import HealthModel

/// A sample of a category, of which one counts at a time.
struct TimedItem: Sendable {
    let start: Int
    let end: Int
    let source: String
    let device: Device?
    /// What it is: of one source, the smallest number counts first.
    let place: Int
}

extension [TimedItem] {
    /// Returns the parts of items that count, none of which overlap: at each moment that of the source with the highest
    /// priority and, of one source, that with the smallest place.
    ///
    /// The items must be sorted by start.
    ///
    /// - Parameters:
    ///   - places: The number of places.
    ///   - names: The names of the sources that come before all others.
    func countedParts(places: Int, first names: [String] = []) -> [SweptInterval.Piece] {
        var sources: [(name: String, device: Device?)] = []
        var numbers: [String: Int] = [:]
        for item in self where numbers[item.source] == nil {
            numbers[item.source] = sources.count
            sources.append((item.source, item.device))
        }
        let ranks = SourcePriority.ranks(sources, first: names)
        let swept = SweptInterval(
            whole: .min ..< .max, bounds: .min ..< .max,
            samples: map { item in
                let rank = ranks[numbers[item.source] ?? 0]
                return SweptSample(
                    start: item.start, end: item.end, value: 0, source: rank * places + item.place)
            })
        // The places of each source are as many sources, which are numbered by their ranks.
        let pieces = swept.piecesByPriority([Int](0..<sources.count * places))
        var parts: [SweptInterval.Piece] = []
        for own in Dictionary(grouping: pieces, by: { swept.samples[$0.index].source }).values {
            var covered = Int.min
            for piece in own.sorted(by: { ($0.start, $0.index) < ($1.start, $1.index) }) {
                let from = Swift.max(piece.start, covered)
                guard piece.end > from else { continue }
                parts.append(SweptInterval.Piece(index: piece.index, start: from, end: piece.end))
                covered = piece.end
            }
        }
        return parts
    }
}
