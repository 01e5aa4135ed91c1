import HealthModel

/// A sample, and what it is sorted by.
struct SortedEntry: Comparable, Sendable {
    let key: SampleSorting.Key
    /// The start, in seconds since 1970; `Int.min` if it has none.
    let start: Int
    let position: Int
    let sample: AnySample

    init(_ sample: AnySample, _ sorting: SampleSorting, _ type: AnySampleType) {
        key = sorting.key(of: sample, type)
        start = sample.row.startSecond ?? .min
        position = sample.position
        self.sample = sample
    }

    /// Whether both may be the same sample, but for its position.
    func isLike(_ other: SortedEntry) -> Bool { key == other.key && start == other.start }

    static func == (left: SortedEntry, right: SortedEntry) -> Bool {
        left.isLike(right) && left.position == right.position
    }

    static func < (left: SortedEntry, right: SortedEntry) -> Bool {
        if left.key != right.key { return left.key < right.key }
        return (left.start, left.position) < (right.start, right.position)
    }
}

/// Sorted samples, of which only a part is in memory.
struct SortedRun: Sendable {
    /// The parts that wait, the next one last.
    var chunks: [[PackedBatch]] = []
    /// The number of samples in a part.
    let chunkRows: Int
    /// The bytes of the largest batch of the parts.
    var memorySize = 0
    private var entries: ArraySlice<SortedEntry> = []

    /// Starts with a run without samples.
    init(chunkRows: Int) { self.chunkRows = chunkRows }

    /// Creates a run that is in memory.
    init(_ entries: [SortedEntry]) {
        self.init(chunkRows: entries.count)
        self.entries = entries[...]
    }

    /// Returns the next sample, nil after the last.
    mutating func next(_ sorting: SampleSorting, _ type: AnySampleType) throws -> SortedEntry? {
        while entries.isEmpty, let chunk = chunks.popLast() {
            // Batches of one chunk have different elements or positions, and are as few.
            let found = try chunk.flatMap { packed in
                Samples(span: [try packed.samples()]).map { SortedEntry($0, sorting, type) }
            }
            entries = found.sorted()[...]
        }
        return entries.popFirst()
    }
}

/// A pass over several runs in their common order.
struct RunMerge: Sendable {
    private let sorting: SampleSorting
    private let type: AnySampleType
    private var runs: [SortedRun]
    /// A heap of the first samples of the runs: none is greater than the two at twice its place and after.
    private var heap: [(entry: SortedEntry, run: Int)] = []

    init(_ runs: [SortedRun], _ sorting: SampleSorting, _ type: AnySampleType) throws {
        (self.runs, self.sorting, self.type) = (runs, sorting, type)
        for run in runs.indices {
            if let entry = try self.runs[run].next(sorting, type) { heap.append((entry, run)) }
        }
        // Sorted is one of the orders of a heap.
        heap.sort { Self.precedes($0, $1) }
    }

    /// Returns the next sample, nil after the last.
    mutating func next() throws -> SortedEntry? {
        guard let first = heap.first else { return nil }
        if let entry = try runs[first.run].next(sorting, type) {
            heap[0].entry = entry
        } else {
            let last = heap.removeLast()
            if heap.isEmpty { return first.entry }
            heap[0] = last
        }
        sink()
        return first.entry
    }

    /// Moves the first sample to its place.
    private mutating func sink() {
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && Self.precedes(heap[child], heap[least]) {
                least = child
            }
            guard least != place else { return }
            heap.swapAt(place, least)
            place = least
        }
    }

    private static func precedes(
        _ left: (entry: SortedEntry, run: Int), _ right: (entry: SortedEntry, run: Int)
    ) -> Bool {
        left.entry == right.entry ? left.run < right.run : left.entry < right.entry
    }
}
