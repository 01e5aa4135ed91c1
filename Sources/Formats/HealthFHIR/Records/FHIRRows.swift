import SampleBatches

/// The rows of a batch with their identities.
struct FHIRRows: Sendable {
    /// The batch.
    let batch: SampleBatch
    /// The identity of each row.
    let identities: [UInt128]
    /// The numbers of rows that are exact copies of an earlier one.
    private var copies: Set<Int> = []

    init(_ batch: SampleBatch) {
        self.batch = batch
        let known = RowIdentities(batch)
        var identities: [UInt128] = []
        identities.reserveCapacity(batch.count)
        var seen: Set<UInt128> = []
        seen.reserveCapacity(batch.count)
        var copies: Set<Int> = []
        batch.forEachBatchRow { row in
            let identity = known.identity(at: row.cell)
            if !seen.insert(identity).inserted { copies.insert(identities.count) }
            identities.append(identity)
        }
        self.identities = identities
        self.copies = copies
    }

    /// The number of copies.
    var copyCount: Int { copies.count }

    /// Returns whether a row is a copy of an earlier one.
    func isCopy(_ number: Int) -> Bool { !copies.isEmpty && copies.contains(number) }

    /// Marks the rows that earlier parts of the same span have as well.
    mutating func markCopies(of earlier: Set<UInt128>) {
        for (number, identity) in identities.enumerated() where earlier.contains(identity) {
            copies.insert(number)
        }
    }
}

/// How much of the samples is in no resource, by reason.
public struct FHIRGaps: Sendable, Equatable {
    /// The counts; a reason that did not occur has none.
    public private(set) var counts: [FHIRGap: Int] = [:]

    /// Creates gaps of which there are none.
    public init() {}

    mutating func add(_ gap: FHIRGap, _ count: Int = 1) {
        if count > 0 { counts[gap, default: 0] += count }
    }

    mutating func add(_ other: FHIRGaps) {
        for (gap, count) in other.counts { add(gap, count) }
    }
}

/// Receives a resource: its type, its identity, what recorded the sample, and its JSON.
typealias FHIREmit = (
    _ type: String, _ identity: UInt128, _ device: DeviceResource?, _ json: Span<UInt8>
) throws -> Void
