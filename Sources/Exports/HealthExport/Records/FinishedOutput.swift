import ArchiveWriting
import ByteText
import HealthArchive
import SystemIO

extension ExportRecord {
    /// Returns the record updated for an output that got its final name before its process could record that.
    ///
    /// - Returns: nil if there is no such output.
    func reconciled() -> ExportRecord? {
        guard !isComplete, let promise,
            OutputIdentity.of(output, isEncrypted: isEncrypted) == promise.identity,
            // A folder exported earlier from the same source has the same manifest. While an unfinished output
            // with this export's mark exists, this export's output does not have its final name yet.
            unfinishedIdentity == nil
                || UnfinishedOutput.identity(ofTarget: output, isEncrypted: isEncrypted) != unfinishedIdentity
        else { return nil }
        var record = self
        record.finish(promise)
        return record
    }

    /// Whether the further container that was being written can be continued, or started, under its name.
    ///
    /// A file with its temporary name is assumed to belong to this session unless known to be a different one.
    public var pendingIsFree: Bool {
        guard let pending, (try? Target.exists(pending)) == false else { return false }
        let found = UnfinishedOutput.identity(ofTarget: pending, isEncrypted: true)
        return found == nil || unfinishedIdentity == nil || found == unfinishedIdentity
    }

    /// Records that the output has its final name.
    public mutating func finish(_ promise: Promise) {
        phase = promise.phase
        isReplacing = promise.isReplacing
        samples = promise.samples
        identity = promise.identity
        if let pending { further.append(pending) }
        pending = nil
        unfinishedIdentity = nil
        self.promise = nil
        size = isEncrypted ? Self.size(ofFiles: [target] + further) : Self.size(ofFolder: target)
    }

    /// Whether the finished output has the size that it had when it was written, as far as that is known.
    ///
    /// It reads nothing of it: what was cut off or lacks files is found, a flipped byte is not.
    var isWhole: Bool {
        guard isComplete, let size else { return true }
        let found = isEncrypted ? Self.size(ofFiles: [target] + further) : Self.size(ofFolder: target)
        return found ?? 0 >= size
    }

    private static func size(ofFiles paths: [BytePath]) -> Int {
        paths.total { (try? VolumeFile(opening: $0, .read).size()) ?? 0 }
    }

    private static func size(ofFolder path: BytePath) -> Int? {
        guard let folder = try? PlainFolder(path) else { return nil }
        return size(ofFiles: folder.paths.map { path / $0 })
    }

    /// Removes the mark of a folder that has just got its final name, and the folder that it replaced.
    ///
    /// - Parameter old: The record with the identity of the replaced folder.
    func removeReplaced(_ old: ExportRecord) {
        guard !isEncrypted else { return }
        if let folder = try? OpenFolder(opening: target) { try? folder.removeFile(EntryPath.unfinishedMark) }
        try? Target.clearAside(of: target)
        let aside = target + EntryPath.unfinishedSuffix
        let found = OutputIdentity.of(aside, isEncrypted: false)
        let isMarked = (try? Target.isFile(aside / EntryPath.unfinishedMark)) == true
        let isEmpty = (try? PlainFolder(aside).paths.isEmpty) == true
        guard isMarked || isEmpty || found != nil && found == old.identity else { return }
        try? Target.clearUnfinished(folderOf: target, in: OpenFolder(holding: target))
    }
}
