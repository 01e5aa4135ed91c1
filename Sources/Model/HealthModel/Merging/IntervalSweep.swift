/// A sample as statistics see it: its time, its value, and the rank of its source.
package struct RankedSample: Sendable {
    /// When it starts, in seconds since 1970.
    package let start: Int
    /// When it ends; its start if it has no duration.
    package let end: Int
    package let value: Double
    /// The rank of its source; 0 has the highest priority.
    package let rank: Int

    package init(start: Int, end: Int, value: Double, rank: Int) {
        self.start = start
        self.end = end
        self.value = value
        self.rank = rank
    }
}

/// A pass over samples in the order of their starts that returns one interval after the other.
///
/// It keeps only the samples of the current interval and those that reach beyond it, and skips intervals without
/// samples, so its memory depends neither on the number of intervals nor on what came before.
package struct IntervalSweep: Sendable {
    private let range: Range<Int>
    /// The samples that reach beyond the last interval, in the order of their starts.
    private var active: [RankedSample] = []
    /// The first sample that starts after the last interval.
    private var ahead: RankedSample?
    private var isAtEnd = false
    /// The end of the last interval.
    private var position = Int.min
    /// The number of samples in the last interval, about as many as in the next.
    private var usualCount = 0

    /// The most samples for which there is room before they are read.
    private static let mostReserved = 1 << 12

    /// Creates a pass over samples in a range, in seconds since 1970.
    package init(_ range: Range<Int>) { self.range = range }

    /// Returns the next interval with samples; nil after the last.
    ///
    /// - Parameters:
    ///   - interval: Returns the interval that contains an instant.
    ///   - read: Returns the next sample; nil after the last. No sample starts earlier than the one before.
    package mutating func next(
        _ interval: (Int) -> Range<Int>, _ read: () throws -> RankedSample?
    ) rethrows -> SweptInterval? {
        while true {
            if ahead == nil, !isAtEnd { try advance(read) }
            let instant: Int
            if !active.isEmpty {
                instant = position
            } else if let ahead {
                instant = max(ahead.start, range.lowerBound)
            } else {
                return nil
            }
            guard instant < range.upperBound else { return nil }
            let bounds = interval(instant).clamped(to: range)
            var samples = active
            samples.reserveCapacity(min(usualCount, Self.mostReserved))
            while let sample = ahead, sample.start < bounds.upperBound {
                // An instant at the start of an interval belongs to it.
                let reaches =
                    sample.start == sample.end
                    ? sample.start >= bounds.lowerBound
                    : sample.end > bounds.lowerBound
                if reaches { samples.append(sample) }
                try advance(read)
            }
            position = bounds.upperBound
            usualCount = samples.count
            active = samples.filter { $0.end > position }
            if !samples.isEmpty { return SweptInterval(bounds: bounds, samples: samples) }
        }
    }

    private mutating func advance(_ read: () throws -> RankedSample?) rethrows {
        ahead = try read()
        isAtEnd = ahead == nil
    }
}

/// An interval and the samples in it, in the order of their starts.
package struct SweptInterval: Sendable {
    /// The interval, in seconds since 1970.
    package let bounds: Range<Int>
    /// The samples that lie in the interval, in whole or in part.
    package let samples: [RankedSample]

    /// Creates an interval with samples that are sorted by start.
    package init(bounds: Range<Int>, samples: [RankedSample]) {
        self.bounds = bounds
        self.samples = samples
    }

    /// A part of a sample that counts.
    package struct Piece: Sendable {
        /// The index of the sample.
        package let index: Int
        package let start: Int
        package let end: Int

        package init(index: Int, start: Int, end: Int) {
            self.index = index
            self.start = start
            self.end = end
        }
    }

    /// Returns the parts of all samples in the interval.
    package var allPieces: [Piece] {
        samples.indices.map { index in
            let (start, end) = part(of: index)
            return Piece(index: index, start: start, end: end)
        }
    }

    /// Returns the parts of samples that no source of a higher priority covers, by rank and start.
    package var piecesByPriority: [Piece] {
        guard samples.contains(where: { $0.rank != samples[0].rank }) else { return allPieces }
        var pieces: [Piece] = []
        CoveredTime.forEachUncoveredPart(
            of: Array(samples.indices), rank: { samples[$0].rank }, time: { part(of: $0) }
        ) { index, start, end in
            pieces.append(Piece(index: index, start: start, end: end))
        }
        return pieces
    }

    /// Returns the part of a sample's value that a piece of it has.
    package func amount(_ piece: Piece) -> Double {
        let sample = samples[piece.index]
        guard sample.start < sample.end else { return sample.value }
        return sample.value * (Double(piece.end - piece.start) / Double(sample.end - sample.start))
    }

    private func part(of index: Int) -> (start: Int, end: Int) {
        let sample = samples[index]
        return (max(sample.start, bounds.lowerBound), min(sample.end, bounds.upperBound))
    }
}
