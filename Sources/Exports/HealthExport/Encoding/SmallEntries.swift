import HealthArchive
import SystemIO

/// An entry that is small enough to share a bundle with others.
enum SmallEntry: Sendable {
    case batch(PendingBatch)
    /// An unmodified side file.
    case file(path: BytePath, bytes: [UInt8])

    /// The approximate number of bytes that it takes while it waits and in the bundle.
    fileprivate var size: Int {
        switch self {
        case .batch(let batch): Self.frame + batch.rowSize + batch.contextSize
        case .file(let path, let bytes): Self.frame + path.count + bytes.count
        }
    }

    private static let frame = 256
}

/// Collects small entries until there are enough for a bundle.
///
/// Bundles depend only on the entries and their order, so the same source always makes the same bundles.
struct SmallEntries {
    private var waiting: [SmallEntry] = []
    private var size = 0

    /// The limit on a batch's rows, and on its contexts, in bytes; larger batches are stored alone, to be read alone.
    private static let largestBatch = 1 << 14
    /// The limit on files in bytes; longer ones are stored alone.
    private let largestFile: Int
    /// The number of bytes that are enough for a bundle.
    private let enough: Int

    /// Makes an empty collection.
    ///
    /// - Parameter isSmall: Whether the source is small: then all files that are one piece share bundles, in which the
    ///   routes and electrocardiograms take a tenth less space, so that the archive is no larger than the zip.
    init(ofSmallSource isSmall: Bool) {
        largestFile = isSmall ? SideFileReader.pieceSize - 1 : 1 << 16
        enough = isSmall ? 1 << 18 : 1 << 17
    }

    static func isSmall(_ batch: PendingBatch) -> Bool {
        batch.rowSize <= largestBatch && batch.contextSize <= largestBatch
    }

    /// Returns whether a file with this path and length is stored in a bundle.
    ///
    /// A file named like a piece of another file is not, as it would be taken for such a piece.
    func isSmallFile(_ path: BytePath, count: Int) -> Bool {
        count <= largestFile && EntryPath.pieceOwner(path) == nil
    }

    /// Adds an entry.
    ///
    /// - Returns: Enough entries for a bundle; nil if there are not enough yet.
    mutating func add(_ entry: SmallEntry) -> [SmallEntry]? {
        waiting.append(entry)
        size += entry.size
        return size >= enough ? removeAll() : nil
    }

    /// Removes and returns all waiting entries; nil if there are none.
    mutating func removeAll() -> [SmallEntry]? {
        defer {
            waiting = []
            size = 0
        }
        return waiting.isEmpty ? nil : waiting
    }
}
