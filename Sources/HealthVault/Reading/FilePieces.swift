import SystemIO

/// The pieces of a side file stand together, numbered from 0 without a gap.
struct PieceOrder {
    private var path: String?
    private var next = 0

    /// An entry is no piece, or the one that is due.
    ///
    /// The list of digests is the folder's own, and no entry.
    mutating func follows(_ name: String) -> Bool {
        if name.utf8.elementsEqual(EntryPath.checksums.utf8) { return false }
        guard case .piece(let path, let number) = StoredEntry(name) else {
            self.path = nil
            return true
        }
        if self.path.map({ $0.utf8.elementsEqual(path.utf8) }) != true {
            self.path = path
            next = 0
        }
        defer { next += 1 }
        return number == next
    }
}

/// Puts the pieces of side files together.
struct FilePieces {
    private let destination: FolderDestination
    private var current: String?
    private(set) var count = 0

    init(_ destination: FolderDestination) { self.destination = destination }

    mutating func take(_ entry: EncodedEntry) throws {
        if current != entry.name {
            try endFile()
            count += 1
            if entry.name.startsWithBytes(of: EntryPath.files) { current = entry.name }
        }
        _ = try destination.add(entry)
    }

    mutating func endFile() throws {
        if let path = current { try destination.endFile(path) }
        current = nil
    }
}
