import ByteSpans
import HealthModel

/// The quantity samples of a query, for reading them one after the other: the latest as columns, many others packed.
struct QuantityRows: Sendable {
    /// The latest samples, and the sources of all.
    private(set) var columns: QuantityColumns
    private var packed = PackedQuantities()

    init(_ columns: QuantityColumns) { self.columns = columns }

    /// Number of samples.
    var count: Int { packed.count + columns.count }
    /// The seconds that all samples last.
    var duration: Int {
        LengthSum.of(
            packed.duration.value, columns.starts.indices.total { columns.ends[$0] - columns.starts[$0] })
    }
    /// The start of the first sample, in seconds since 1970; nil if there is none.
    var firstStart: Int? { packed.firstStart ?? columns.starts.first }
    /// The bytes of the packed samples.
    var packedSize: Int { packed.size }

    /// Adds samples, none of which starts before one that was added.
    mutating func append(_ samples: Samples<QuantitySample>) { columns.append(samples) }

    /// Packs the samples that are columns.
    mutating func pack() {
        packed.append(columns)
        columns.removeSamples()
    }

    /// Starts a pass.
    func makeIterator() -> Iterator { Iterator(self) }

    /// One pass.
    struct Iterator: Sendable {
        private let columns: QuantityColumns
        private var packed: PackedQuantities.Iterator
        private var index = 0

        init(_ rows: QuantityRows) {
            columns = rows.columns
            packed = PackedQuantities.Iterator(rows.packed)
        }

        /// Returns the next sample, nil after the last.
        mutating func next() -> PackedQuantities.Sample? {
            if let sample = packed.next() { return sample }
            guard index < columns.count else { return nil }
            defer { index += 1 }
            return PackedQuantities.Sample(
                start: columns.starts[index], end: columns.ends[index], value: columns.values[index],
                source: columns.sourceNumbers[index])
        }
    }
}
