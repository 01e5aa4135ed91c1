import ArchiveReading
import ArchiveWriting
public import SystemIO
import VaultContainer

/// The removal of old exports from a destination.
public struct Pruning: Sendable {
    private let history: History
    private let record: HistoryRecord
    private let folder: BytePath

    /// The outcome of a removal.
    public struct Outcome: Sendable {
        /// The paths that were removed.
        public var removed: [BytePath] = []
        /// The paths that could not be removed, and why.
        public var failed: [(path: BytePath, error: any Error)] = []
    }

    /// Prepares to remove exports that, according to the history, were written earlier.
    ///
    /// - Parameters:
    ///   - record: The newest export; counts and removes only exports to the same destination and in the same format,
    ///     and only partial ones if this one is partial, else only whole ones.
    ///   - folder: The current folder of the destination.
    public init(_ history: History, after record: HistoryRecord, in folder: BytePath) {
        self.history = history
        self.record = record
        self.folder = folder
    }

    /// Removes verified exports beyond a number of newer verified ones.
    ///
    /// A file is counted and removed only if it is still the one that was written then.
    ///
    /// - Throws: `SystemError` if the history cannot be read.
    public func keep(_ count: Int) throws -> Outcome {
        let present = try history.all().filter { isLike($0) && isThere($0) }
        var outcome = Outcome()
        for set in ExportSets(present).surplus(keeping: count) {
            for old in set {
                guard let path = path(of: old) else { break }
                // An archive that continues it must stay readable, whatever its origin.
                guard !old.isEncrypted || FurtherName.follower(of: path) == nil else { break }
                do {
                    try remove(path, isEncrypted: old.isEncrypted)
                    outcome.removed.append(path)
                    try history.replace(old) { $0.isPruned = true }
                } catch {
                    outcome.failed.append((path, error))
                    break
                }
            }
        }
        return outcome
    }

    private func isLike(_ other: HistoryRecord) -> Bool {
        other.destination == record.destination && other.format == record.format
            && other.isPart == record.isPart
    }

    private func path(of record: HistoryRecord) -> BytePath? { record.path.map { folder / $0.name } }

    private func isThere(_ record: HistoryRecord) -> Bool {
        guard record.hasOutput, let path = path(of: record),
            OutputIdentity.of(path, isEncrypted: record.isEncrypted) == record.identity
        else { return false }
        guard record.isEncrypted else { return true }
        return (try? VolumeFile(opening: path, .read).size()) == record.size
    }

    private func remove(_ path: BytePath, isEncrypted: Bool) throws {
        guard isEncrypted else {
            try Target.remove(folder: path)
            return
        }
        let start = try VolumeName.start(of: path)
        let holder = try OpenFolder(holding: start)
        let file = try VolumeFile(opening: start, .update)
        try file.lock(exclusively: true)
        // The first volume is removed last: while it exists, the next run removes the rest.
        try file.removeVolumes()
        try holder.removeFile(start.name, being: file.status())
    }
}
