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

/// The current places of the exports in the history.
public struct OutputPlaces: Sendable {
    /// The place of an export.
    public enum Place: Sendable, Equatable {
        /// It is at this path.
        case there(BytePath)
        /// It is there, and is not whole: cut off, or without some of its files.
        case damaged
        /// It is gone, or something else has its name.
        case missing
        /// The drive is not connected.
        case away
        /// It was removed to make room for newer ones.
        case pruned
        /// Nothing was written.
        case none
    }

    private let destinations: [Destination]
    private var folders: [String: BytePath?] = [:]

    /// Prepares to look at destinations.
    public init(_ destinations: [Destination]) { self.destinations = destinations }

    /// Returns the place of an export; each destination is looked for once.
    public mutating func place(of record: HistoryRecord) -> Place {
        guard let path = record.path, let identity = record.identity else { return .none }
        if record.isPruned { return .pruned }
        guard let folder = folder(of: record.destination) else { return .away }
        let found = folder / path.name
        guard OutputIdentity.of(found, isEncrypted: record.isEncrypted) == identity else { return .missing }
        return record.isWhole(at: found) ? .there(found) : .damaged
    }

    private mutating func folder(of name: String) -> BytePath? {
        if let known = folders[name] { return known }
        let folder = (try? destinations.first { $0.name == name }?.locate())?.path
        folders[name] = folder
        return folder
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
