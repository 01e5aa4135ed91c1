import BatchCollection
import ByteSpans
import HealthArchive
import SampleBatches
import SystemIO

/// Something that is small enough to share a bundle with others.
enum SmallEntry: Sendable {
    case batch(ClosedBatch)
    /// A side file as it is.
    case file(path: BytePath, bytes: [UInt8])

    /// Roughly what it takes while it waits, and in the bundle.
    fileprivate var size: Int {
        switch self {
        case .batch(let batch): Self.frame + batch.rows.count + batch.contexts.total(\.json.count)
        case .file(let path, let bytes): Self.frame + path.count + bytes.count
        }
    }

    private static let frame = 256
}

/// Gathers small entries until there are enough for a bundle.
///
/// It depends on the entries and their order alone, so that the same source always makes the same bundles.
struct SmallEntries {
    private var waiting: [SmallEntry] = []
    private var size = 0

    /// Batches with more packed rows rest alone: whoever wants one of them reads nothing else.
    private static let largestBatch = 1 << 14
    /// Longer files rest alone.
    private static let largestFile = 1 << 16
    /// So many bytes make a bundle.
    private static let enough = 1 << 17

    static func takes(_ batch: ClosedBatch) -> Bool {
        batch.rows.count <= largestBatch && batch.contexts.total(\.json.count) <= largestBatch
    }

    /// A file of that path and length rests in a bundle; one that is named like a piece of another would pass for it.
    static func takesFile(_ path: BytePath, count: Int) -> Bool {
        count <= largestFile && EntryPath.pieceOwner(path) == nil
    }

    /// Adds an entry.
    ///
    /// - Returns: A bundle's worth of entries, nil where there are not enough of them.
    mutating func add(_ entry: SmallEntry) -> [SmallEntry]? {
        waiting.append(entry)
        size += entry.size
        return size >= Self.enough ? takeAll() : nil
    }

    /// All that wait.
    mutating func takeAll() -> [SmallEntry]? {
        defer {
            waiting = []
            size = 0
        }
        return waiting.isEmpty ? nil : waiting
    }
}
