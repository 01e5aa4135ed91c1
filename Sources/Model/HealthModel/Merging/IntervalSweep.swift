package import ByteText

/// A sample as statistics see it: its time, its value, and the number of its source.
package struct SweptSample: Sendable {
    /// When it starts, in seconds since 1970.
    package let start: Int
    /// When it ends; its start if it has no duration.
    package var end: Int
    package let value: Double
    package let source: Int

    package init(start: Int, end: Int, value: Double, source: Int) {
        self.start = start
        self.end = end
        self.value = value
        self.source = source
    }
}

extension QuantityColumns {
    /// Returns a sample as statistics see it.
    package subscript(_ index: Int) -> SweptSample {
        SweptSample(
            start: starts[index], end: ends[index], value: values[index], source: sourceNumbers[index])
    }

    /// The numbers of the samples by start, end and value; nil if they are in this order.
    ///
    /// It is the same in every export of a phone, so that results do not depend on that of the file. Most samples are in it: spans
    /// are sorted by start.
    package var order: [Int]? {
        func precedes(_ left: Int, _ right: Int) -> Bool {
            if starts[left] != starts[right] { return starts[left] < starts[right] }
            return ends[left] != ends[right] ? ends[left] < ends[right] : values[left] < values[right]
        }
        guard (1..<max(1, count)).contains(where: { precedes($0, $0 - 1) }) else { return nil }
        return (0..<count).sorted(by: precedes)
    }

    /// Returns the sample at a place in an order.
    package subscript(place: Int, in order: [Int]?) -> SweptSample { self[order?[place] ?? place] }

    /// Returns the rank of each source, 0 for the highest priority.
    package func ranks(_ merge: SourceMerge) -> [Int] {
        SourcePriority.ranks(sources, first: merge.firstSources)
    }
}

/// A pass over samples in the order of their starts that returns one interval after the other.
///
/// It keeps only the samples of the current interval and those that reach beyond it, and skips intervals without
/// samples, so its memory depends neither on the number of intervals nor on what came before.
package struct IntervalSweep: Sendable {
    private let range: Range<Int>
    private let interval: @Sendable (Int) -> Range<Int>
    /// The samples of the current interval, and those that reach beyond the last one, in the order of their starts.
    private var samples: [SweptSample] = []
    /// The current interval; nil until a sample requires it.
    private var current: (whole: Range<Int>, bounds: Range<Int>)?
    /// The end of the last interval.
    private var position = Int.min

    /// The most samples for which there is room before they are added.
    private static let mostReserved = 1 << 12

    /// Creates a pass over samples in a range, in seconds since 1970.
    ///
    /// - Parameters:
    ///   - range: The range.
    ///   - interval: Returns the interval that contains an instant.
    package init(
        _ range: Range<Int> = .min ..< .max, by interval: @escaping @Sendable (Int) -> Range<Int>
    ) {
        self.range = range
        self.interval = interval
    }

    /// The number of samples that are kept.
    package var count: Int { samples.count }

    /// Adds a sample, which starts no earlier than the one before.
    ///
    /// The intervals that end by its start must have been returned.
    @inline(__always)
    package mutating func append(_ sample: SweptSample) {
        // An instant at the start of the range belongs to it.
        let reaches =
            sample.start == sample.end ? sample.start >= range.lowerBound : sample.end > range.lowerBound
        if reaches, sample.start < range.upperBound { samples.append(sample) }
    }

    /// Returns the next interval with samples that ends by an instant; nil if there is none.
    ///
    /// - Parameter instant: The start of the next sample; `Int.max` after the last.
    @inline(__always)
    package mutating func next(before instant: Int) -> SweptInterval? {
        if let current, instant < current.bounds.upperBound { return nil }
        return complete(before: instant)
    }

    private mutating func complete(before instant: Int) -> SweptInterval? {
        guard let first = samples.first else { return nil }
        if current == nil {
            let whole = interval(max(position, first.start, range.lowerBound))
            current = (whole, whole.clamped(to: range))
        }
        guard let (whole, bounds) = current, instant >= bounds.upperBound else { return nil }
        let done = SweptInterval(whole: whole, bounds: bounds, samples: samples)
        samples = []
        samples.reserveCapacity(min(done.samples.count, Self.mostReserved))
        if bounds.upperBound < range.upperBound {
            for sample in done.samples where sample.end > bounds.upperBound { samples.append(sample) }
        }
        (current, position) = (nil, bounds.upperBound)
        return done
    }
}

/// An interval and the samples in it, in the order of their starts.
package struct SweptInterval: Sendable {
    /// The interval, in seconds since 1970.
    package let whole: Range<Int>
    /// The part of the interval that is in the range.
    package let bounds: Range<Int>
    /// The samples that lie in this part, in whole or in part.
    package let samples: [SweptSample]

    /// Creates an interval with samples that are sorted by start.
    package init(whole: Range<Int>, bounds: Range<Int>, samples: [SweptSample]) {
        self.whole = whole
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

    /// Returns the parts of samples that count by a rule, before one source is chosen from several.
    ///
    /// - Parameter ranks: The rank of each source; 0 has the highest priority.
    package func pieces(_ merge: SourceMerge, _ ranks: [Int]) -> [Piece] {
        if case .priority = merge { piecesByPriority(ranks) } else { allPieces }
    }

    /// Returns the parts of all samples in the interval.
    private var allPieces: [Piece] {
        samples.indices.map { index in
            let (start, end) = part(of: index)
            return Piece(index: index, start: start, end: end)
        }
    }

    /// Returns the parts of samples that no source of a higher priority covers, by rank and start.
    ///
    /// - Parameter ranks: The rank of each source; 0 has the highest priority.
    package func piecesByPriority(_ ranks: [Int]) -> [Piece] {
        guard samples.contains(where: { $0.source != samples[0].source }) else { return allPieces }
        var pieces: [Piece] = []
        CoveredTime.forEachUncoveredPart(
            of: Array(samples.indices), rank: { ranks[samples[$0].source] }, time: { part(of: $0) }
        ) { index, start, end in
            pieces.append(Piece(index: index, start: start, end: end))
        }
        return pieces
    }

    /// What the pieces of one source amount to.
    package struct SourceSum: Sendable {
        package let source: Int
        package fileprivate(set) var sum = 0.0
        /// The seconds that the pieces cover.
        package fileprivate(set) var seconds = 0
        /// Number of samples.
        package fileprivate(set) var count = 0
        /// The sample that was counted last.
        fileprivate var last = -1
    }

    /// Returns the sums of the sources that count by a rule, the highest priority first.
    ///
    /// - Parameters:
    ///   - pieces: The pieces, in the order in which they are added up; those of a sample are adjacent.
    ///   - columns: The sources.
    ///   - ranks: The ranks of the sources.
    ///   - value: Returns the value of a piece.
    package func sums(
        of pieces: [Piece], _ merge: SourceMerge, _ columns: QuantityColumns, _ ranks: [Int],
        _ value: (Piece) -> Double
    ) -> [SourceSum] {
        var sums: [SourceSum] = []
        for piece in pieces {
            let source = samples[piece.index].source
            let place = sums.firstIndex { $0.source == source } ?? sums.count
            if place == sums.count { sums.append(SourceSum(source: source)) }
            sums[place].sum += value(piece)
            sums[place].seconds += piece.end - piece.start
            if sums[place].last != piece.index { sums[place].count += 1 }
            sums[place].last = piece.index
        }
        if merge == .maximumSource {
            let totals = Dictionary(uniqueKeysWithValues: sums.map { ($0.source, $0.sum) })
            let greatest = SourcePriority.greatest(of: totals, columns.sources)
            sums.removeAll { $0.source != greatest }
        }
        return sums.sorted { ranks[$0.source] < ranks[$1.source] }
    }

    /// Returns the number of samples without duplicates; the pieces of a sample are adjacent.
    package static func sampleCount(of pieces: [Piece]) -> Int {
        var (count, last) = (0, -1)
        for piece in pieces where piece.index != last {
            count += 1
            last = piece.index
        }
        return count
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

extension Days {
    /// The rule that assigns instants to the units of the calendar, in seconds since 1970.
    package func intervals(of unit: CalendarUnit) -> @Sendable (Int) -> Range<Int> {
        { instant in
            let start = self.start(of: unit, containing: instant)
            return start..<max(start + 1, self.start(of: unit, 1, after: start))
        }
    }
}
