import ArchiveWriting
import HealthArchive
import SystemIO

/// Joins the pieces of side files.
struct FilePieces {
    private let destination: FolderDestination
    private var current: BytePath?
    private(set) var count = 0

    init(_ destination: FolderDestination) { self.destination = destination }

    mutating func add(_ entry: EncodedEntry) throws {
        if current != entry.name {
            try endFile()
            count += 1
            if EntryPath.isFile(entry.name) { current = entry.name }
        }
        _ = try destination.add(entry)
    }

    mutating func endFile() throws {
        if let path = current { try destination.endFile(path) }
        current = nil
    }
}
