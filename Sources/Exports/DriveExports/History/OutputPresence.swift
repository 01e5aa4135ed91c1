import ArchiveWriting
public import SystemIO

extension HistoryRecord {
    /// Returns whether the export is at a path with the size that it had when it was written, as far as that is known: an
    /// export may end as soon as its file has its name.
    ///
    /// It reads neither all of an archive nor the files of a folder: a cut-off archive or a folder without its files is
    /// found, a flipped byte is not.
    public func isWhole(at path: BytePath) -> Bool {
        guard hasOutput, OutputIdentity.of(path, isEncrypted: isEncrypted) == identity else { return false }
        guard size > 0 else { return true }
        let found = OutputSize.of(path, isEncrypted: isEncrypted, enough: size) ?? 0
        return isEncrypted ? found == size : found >= size
    }

}

/// The size of an output as it is found.
enum OutputSize {
    /// Returns the size of what is at a path, or of a folder a smaller one once it is enough; nil if it cannot be read.
    static func of(_ path: BytePath, isEncrypted: Bool, enough: Int = .max) -> Int? {
        isEncrypted
            ? try? VolumeFile(opening: path, .read).size() : try? Folder.size(of: path, enough: enough)
    }
}

extension Folder {
    /// Returns the total size of the files in a folder and in those below it, or a smaller one once it is enough.
    fileprivate static func size(of folder: BytePath, enough: Int) throws(SystemError) -> Int {
        var size = 0
        for entry in try entries(of: folder) where size < enough {
            switch entry.status.kind {
            case .file: size += entry.status.size
            case .folder: size += try self.size(of: folder / entry.name, enough: enough - size)
            default: break
            }
        }
        return size
    }
}
