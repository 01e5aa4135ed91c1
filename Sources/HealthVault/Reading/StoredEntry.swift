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
    case batch(path: BytePath)
    /// A compressed piece of a side file.
    case piece(path: BytePath, number: Int)
    /// Something that this program does not know.
    case other

    init(_ name: BytePath) {
        switch name {
        case EntryPath.session: self = .session
        case EntryPath.manifest: self = .manifest
        case EntryPath.prologue + EntryPath.frameSuffix: self = .prologue
        case _ where name.hasPrefix(EntryPath.records):
            self = name.dropping(suffix: EntryPath.storedSuffix).map { .batch(path: $0) } ?? .other
        case _ where name.hasPrefix(EntryPath.files): self = Self.piece(name) ?? .other
        default: self = .other
        }
    }

    /// It is a batch.
    var isBatch: Bool { if case .batch = self { true } else { false } }

    /// The path in a plain folder of the entry of that name, or of the file that it is a piece of.
    static func plainPath(ofEntry name: BytePath) -> BytePath {
        switch StoredEntry(name) {
        case .batch(let path): path + EntryPath.linesSuffix
        case .prologue: EntryPath.prologue
        case .piece(let path, _): path
        case .session, .manifest, .other: name
        }
    }

    private static func piece(_ name: BytePath) -> StoredEntry? {
        guard let path = EntryPath.pieceOwner(name) else { return nil }
        let digits = name.bytes.dropFirst(path.count + EntryPath.frameSuffix.count + 1)
        guard let number = Int(String(decoding: digits, as: UTF8.self)),
            EntryPath.piece(path, number) == name
        else { return nil }
        return .piece(path: path, number: number)
    }
}
