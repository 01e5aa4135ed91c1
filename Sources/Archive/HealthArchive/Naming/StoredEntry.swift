package import SystemIO
import VaultContainer

/// The kind of a container's entry, determined by its name.
package enum StoredEntry: Sendable, Equatable {
    /// The description of the session that wrote the container.
    case session
    /// The compressed manifest.
    case manifest
    /// The compressed prologue.
    case prologue
    /// A batch.
    case batch(StoredBatchName)
    /// A compressed piece of a side file.
    case piece(path: BytePath, number: Int)
    /// An unchanged side file.
    case file
    /// An entry that this program does not know, or that is stored unchanged.
    case other

    package init(_ name: BytePath) {
        switch name {
        case EntryPath.session: self = .session
        case EntryPath.storedManifest: self = .manifest
        case EntryPath.storedPrologue: self = .prologue
        case _ where name.hasPrefix(EntryPath.records):
            self = StoredBatchName(name).map { .batch($0) } ?? .other
        case _ where EntryPath.isFile(name): self = Self.piece(name) ?? .file
        default: self = .other
        }
    }

    /// The name of the batch; nil for any other entry.
    package var batch: StoredBatchName? { if case .batch(let name) = self { name } else { nil } }

    /// Returns whether only earlier exports had the contents of an entry; plain folders do not contain it.
    package static func isGone(entry name: BytePath) -> Bool {
        name.hasPrefix(EntryPath.gone) || StoredEntry(name).batch?.isGone == true
    }

    /// Returns the path in a plain folder of the entry with that name, or of the file that it is a piece of.
    package static func plainPath(ofEntry name: BytePath) -> BytePath {
        StoredEntry(name).plainPath(ofEntry: name)
    }

    /// Returns that path for the entry whose kind this is.
    func plainPath(ofEntry name: BytePath) -> BytePath {
        switch self {
        case .batch(let batch): batch.stem + EntryPath.linesSuffix
        case .prologue: EntryPath.prologue
        case .manifest: EntryPath.manifest
        case .piece(let path, _): path
        case .session, .file, .other: name
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

/// The name of a stored batch.
package struct StoredBatchName: Sendable, Equatable {
    /// The name without the suffix that shows how the batch is stored.
    package let stem: BytePath
    /// Whether it is compressed on its own.
    package let isCompressed: Bool

    /// Parses the name of a stored batch; nil if the name has another form.
    package init?(_ name: BytePath) {
        let compressed = name.dropping(suffix: EntryPath.storedFrameSuffix)
        guard let stem = compressed ?? name.dropping(suffix: EntryPath.storedSuffix) else { return nil }
        self.stem = stem
        isCompressed = compressed != nil
    }

    /// Whether its samples have vanished from a newer export; plain folders do not contain it.
    package var isGone: Bool { (EntryPath.firstPart(of: stem)?.path ?? stem).hasSuffix(EntryPath.goneMark) }
}
