import ByteText
import SampleBatches

/// A span with more samples than are kept in memory: of each window of them, its parts are read again.
///
/// Rows are in order neither in a part nor among the parts, so the windows are chosen from a sample of all rows.
struct LargeSpan: Sendable {
    /// The place of a row in the order of samples.
    struct Place: Sendable, Comparable {
        /// The start in seconds; `Int.min` if the row has none.
        let start: Int
        let position: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.start, left.position) < (right.start, right.position)
        }
    }

    /// The numbers of rows by which spans are divided; one with long texts counts as several.
    struct Sizes: Sendable {
        /// The number of rows of a span up to which it is kept in memory.
        var mostRows = 1 << 19
        /// The approximate number of rows in a window.
        var windowRows = 1 << 18
        /// One of so many rows is part of the sample.
        var distance = 1 << 10
        /// The number of bytes of a row from which on it counts as several.
        var rowBytes = 128

        /// Returns as how many rows those of a batch count.
        func rows(of batch: SampleBatch) -> Int { max(batch.count, batch.memorySize / rowBytes) }
    }

    /// The key of its first part.
    let key: SampleBatch.Key
    private let sizes: Sizes
    private var places: [Place] = []
    private var count = 0
    /// The windows that were not read yet, the next one last.
    private var windows: [Range<Place>] = []

    /// Starts with a span whose rows are not known yet.
    init(_ key: SampleBatch.Key, _ sizes: Sizes) {
        self.key = key
        self.sizes = sizes
    }

    /// Takes the rows of a part into account.
    mutating func survey(_ batch: SampleBatch) {
        let weight = sizes.rows(of: batch) / max(1, batch.count)
        batch.forEachBatchRow { row in
            let before = count / sizes.distance
            count += weight
            for _ in before..<(count / sizes.distance) { places.append(Self.place(of: row)) }
        }
    }

    /// Chooses the windows, once all parts are known.
    mutating func divide(newestFirst: Bool) {
        places.sort()
        let first = Place(start: .min, position: .min)
        var bounds = [first]
        for index in stride(from: 0, to: places.count, by: sizes.windowRows / sizes.distance).dropFirst() {
            let place = places[index]
            // Samples that start at one time are in one window, unless there are too many of them.
            let isSame = bounds.last.map { $0.start == place.start } ?? false
            let bound = isSame ? place : Place(start: place.start, position: .min)
            if let last = bounds.last, bound > last { bounds.append(bound) }
        }
        bounds.append(Place(start: .max, position: .max))
        windows = zip(bounds, bounds.dropFirst()).map { $0..<$1 }
        if !newestFirst { windows.reverse() }
        places = []
    }

    /// Returns the next window, and removes it; nil after the last.
    mutating func next() -> Range<Place>? { windows.popLast() }

    /// Returns the rows of a part that lie in a window.
    static func rows(of batch: SampleBatch, in window: Range<Place>) -> SampleBatch {
        var builder = SampleBatchBuilder(key: batch.key)
        batch.forEachBatchRow { row in
            guard window.contains(place(of: row)) else { return }
            builder.append(row, of: batch)
        }
        return builder.batch
    }

    private static func place(of row: BatchRow) -> Place {
        Place(start: row.start?.seconds ?? .min, position: row.head.position)
    }
}
