import ByteText
public import HealthModel
import SampleBatches

/// Samples in another order than that of a store, gathered while they are read.
///
/// Samples with one key are ordered by start, then as in the source. What does not fit into some memory is sorted in
/// runs, which wait as ``PackedBatch``es do, and are merged.
///
/// ```swift
/// var sorted = SortedSamples(by: .value, .heartRate)
/// for try await samples in store.samples(query) { try sorted.append(samples) }
/// while let sample = try sorted.next() { ... }
/// ```
public struct SortedSamples: ~Copyable, Sendable {
    private let sorting: SampleSorting
    private let type: AnySampleType
    private let limit: Int
    private let sizes: Sizes
    /// The samples that were added last.
    private var entries: [SortedEntry] = []
    /// The bytes that these keep in memory, and the rows that they are.
    private var held = LengthSum()
    private var heldRows = LengthSum()
    /// The key of the last sample within the limit, as far as it is known.
    private var worst: SampleSorting.Key?
    private var runs: [SortedRun] = []
    /// How many of the first runs were merged from others.
    private var mergedRuns = 0
    private var packer: PackedBatch.Packer?
    private var merge: RunMerge?
    /// The number of samples, at most the limit.
    public private(set) var count = 0
    private var returned = 0

    /// The memory that is used, in bytes.
    struct Sizes: Sendable {
        /// The samples that are sorted at a time.
        var run = 32 << 20
        /// A part of a run, which is read at a time.
        var chunk = 128 << 10
        /// Such parts of all runs.
        var chunks = 48 << 20
    }

    /// Starts without samples.
    ///
    /// - Parameters:
    ///   - sorting: The field to sort by.
    ///   - type: The type of the samples.
    ///   - limit: The maximum number of samples, the first in the order; nil for all.
    public init(by sorting: SampleSorting, _ type: AnySampleType, limit: Int? = nil) {
        self.init(by: sorting, type, limit: limit, sizes: Sizes())
    }

    init(by sorting: SampleSorting, _ type: AnySampleType, limit: Int?, sizes: Sizes) {
        self.sorting = sorting
        self.type = type
        self.limit = limit.map { max(0, $0) } ?? .max
        self.sizes = sizes
    }

    /// Adds samples; must not be called after ``next()``.
    ///
    /// - Throws: `VaultError` if the samples cannot wait.
    public mutating func append(_ samples: Samples<AnySample>) throws(VaultError) {
        let size = samples.memorySize
        if held.value + size > sizes.run { try flush() }
        // Samples of more memory are in it as a whole, but not sorted as a whole.
        let length = max(1, samples.count / (size / sizes.run + 1))
        var start = 0
        while start < samples.count {
            let end = Self.end(of: start, length, in: samples)
            defer { start = end }
            let before = entries.count
            for index in start..<end {
                let entry = SortedEntry(samples[index], sorting, type)
                if let worst, worst < entry.key { continue }
                entries.append(entry)
            }
            guard entries.count > before else { continue }
            held.add(size)
            heldRows.add(samples.batchRows)
            if held.value > sizes.run { try flush() }
        }
        count = min(limit, count + samples.count)
    }

    /// Returns the end of some samples that are sorted at a time, which does not lie between two that may be identical.
    private static func end(of start: Int, _ length: Int, in samples: Samples<AnySample>) -> Int {
        var end = min(start + length, samples.count)
        let latest = min(end + mostAlike, samples.count)
        while end < latest, samples.start(at: end) == samples.start(at: end - 1) { end += 1 }
        return end
    }

    /// Sorts the samples that were added last.
    private mutating func sortEntries() {
        entries.sort()
        guard entries.count >= limit else { return }
        entries.removeLast(entries.count - limit)
        if let last = entries.last { worst = min(last.key, worst ?? last.key) }
    }

    /// Makes a run of the samples that were added last.
    private mutating func flush() throws(VaultError) {
        sortEntries()
        let rowSize = max(1, held.value / max(1, heldRows.value))
        let sorted = entries
        (entries, held, heldRows) = ([], LengthSum(), LengthSum())
        guard !sorted.isEmpty else { return }
        var rest = sorted[...]
        runs.append(try run(ofRows: max(1, sizes.chunk / rowSize)) { rest.popFirst() })
        guard runs.total(\.memorySize) > sizes.chunks else { return }
        // Merging the latest first does not merge what was merged each time.
        let first = runs.count - mergedRuns > 1 ? mergedRuns : 0
        let merged = Array(runs[first...])
        runs.removeLast(merged.count)
        let rows = merged.map(\.chunkRows).min() ?? 1
        do {
            var merge = try RunMerge(merged, sorting, type)
            runs.append(try run(ofRows: rows) { try merge.next() })
        } catch { throw VaultError.wrapping(error) }
        mergedRuns = runs.count
    }

    /// Makes a run of samples that are sorted.
    private mutating func run(
        ofRows chunkRows: Int, _ next: () throws -> SortedEntry?
    ) throws(VaultError) -> SortedRun {
        do {
            if packer == nil { packer = try PackedBatch.Packer() }
            var run = SortedRun(chunkRows: chunkRows)
            var chunk: [SortedEntry] = []
            var count = 0
            while count < limit, let entry = try next() {
                count += 1
                if let last = chunk.last, chunk.count >= chunkRows,
                    !last.isLike(entry) || chunk.count >= Self.mostAlike
                {
                    try close(&chunk, &run)
                }
                chunk.append(entry)
            }
            try close(&chunk, &run)
            run.chunks.reverse()
            return run
        } catch { throw VaultError.wrapping(error) }
    }

    /// The number of samples up to which those that may be identical are kept together: their identifiers count them.
    private static let mostAlike = 1 << 14

    private mutating func close(_ chunk: inout [SortedEntry], _ run: inout SortedRun) throws {
        guard !chunk.isEmpty else { return }
        let batches = chunk.map(\.sample).copiedBatches()
        chunk.removeAll(keepingCapacity: true)
        var packed: [PackedBatch] = []
        for batch in batches {
            run.memorySize = max(run.memorySize, batch.memorySize)
            if let batch = try packer?.pack(batch) { packed.append(batch) }
        }
        run.chunks.append(packed)
    }

    /// Returns the next sample in the order, nil after the last.
    ///
    /// - Throws: `VaultError` if samples that waited cannot be read.
    public mutating func next() throws(VaultError) -> AnySample? {
        guard returned < limit else { return nil }
        do {
            if merge == nil {
                sortEntries()
                merge = try RunMerge(runs + [SortedRun(entries)], sorting, type)
                (entries, runs) = ([], [])
            }
            returned += 1
            return try merge?.next()?.sample
        } catch { throw VaultError.wrapping(error) }
    }
}
