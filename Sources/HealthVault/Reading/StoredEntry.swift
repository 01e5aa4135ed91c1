import SystemIO
import VaultContainer

/// What an entry of a container is, by its name.
enum StoredEntry: Sendable, Equatable {
    /// The session that wrote the container.
    case session
    /// The list of what is in it.
    case manifest
    /// The compressed prologue.
    case prologue
    /// A compressed batch; its path without the ending.
    case batch(path: String)
    /// A compressed piece of a side file.
    case piece(path: String, number: Int)
    /// Something that this program does not know.
    case other

    init(_ name: String) {
        switch name {
        case EntryPath.session: self = .session
        case EntryPath.manifest: self = .manifest
        case EntryPath.prologue + EntryPath.frameSuffix: self = .prologue
        case _
        where name.startsWithBytes(of: EntryPath.records)
            && name.endsWithBytes(of: EntryPath.storedSuffix):
            self = .batch(path: String(name.dropLast(EntryPath.storedSuffix.count)))
        case _ where name.startsWithBytes(of: EntryPath.files): self = Self.piece(name) ?? .other
        default: self = .other
        }
    }

    /// It is a batch.
    var isBatch: Bool { if case .batch = self { true } else { false } }

    /// The path in a plain folder of the entry of that name, or of the file that it is a piece of.
    static func plainPath(ofEntry name: String) -> String {
        switch StoredEntry(name) {
        case .batch(let path): path + EntryPath.linesSuffix
        case .prologue: EntryPath.prologue
        case .piece(let path, _): path
        case .session, .manifest, .other: name
        }
    }

    private static func piece(_ name: String) -> StoredEntry? {
        guard let dot = name.lastIndex(of: "."), let number = Int(name[name.index(after: dot)...]),
            name[..<dot].hasSuffix(EntryPath.frameSuffix)
        else { return nil }
        let path = String(name[..<dot].dropLast(EntryPath.frameSuffix.count))
        return EntryPath.piece(path, number) == name ? .piece(path: path, number: number) : nil
    }
}
