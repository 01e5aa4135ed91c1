import HealthArchive
public import SystemIO
import VaultContainer

/// Removes old exports from a destination.
public struct Pruning: Sendable {
    private let history: History
    private let destination: String
    private let folder: BytePath

    /// Prepares to remove what the history says was written to a destination, which is at a folder now.
    public init(_ history: History, destination: String, folder: BytePath) {
        self.history = history
        self.destination = destination
        self.folder = folder
    }

    /// Removes verified exports beyond a number of newer verified ones.
    ///
    /// A file is removed only if it is still what was written then.
    ///
    /// - Returns: The paths that were removed.
    /// - Throws: `SystemError`; `VaultError` if other files lie in a folder that is to be removed.
    public func keep(_ count: Int) throws -> [BytePath] {
        var removed: [BytePath] = []
        for record in ExportSets(try history.all(), destination: destination).surplus(keeping: count) {
            guard let name = record.path?.name, let identity = record.identity else { continue }
            let path = folder / name
            if OutputIdentity.of(path, isEncrypted: record.isEncrypted) == identity {
                try remove(path, isEncrypted: record.isEncrypted)
                removed.append(path)
            }
            try history.markPruned(record)
        }
        return removed
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
        // The first volume is last: as long as it is there, the next run removes what is left.
        try file.removeVolumes()
        try holder.removeFile(start.name, being: file.status())
    }
}
