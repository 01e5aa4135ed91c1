import ArchiveManifest
import ByteSpans
package import JSONText
package import SystemIO
import VaultContainer
import VaultCrypto

/// The record of a container's predecessor, stored in the first entry of the container that continues it.
package struct Continuation: Sendable, Equatable {
    /// The predecessor's identifier, as hexadecimal digits.
    package var vault: String
    /// SHA-256 of the predecessor's index, as hexadecimal digits.
    var index: String
    /// The file name that the predecessor had; it may have been renamed since.
    package var name: BytePath
    /// The predecessor's file key, encrypted under a key that only the container that continues it has.
    package var key: [UInt8]
    /// The paths in the plain folder for which the entries of the predecessors are ignored.
    package var supersedes: [BytePath]

    private static let member = "continues"

    package func write(_ writer: inout JSONWriter) {
        writer.key(Self.member)
        writer.object { writer in
            writer.member("vault", vault)
            writer.member("index", index)
            writer.member("name", name)
            writer.member("key", Hexadecimal.text(key))
            writer.member("supersedes", supersedes)
        }
    }

    /// Makes the record of a predecessor; `key` is set once the key of the follower is known.
    package init(_ predecessor: ChainLink, supersedes: [BytePath]) {
        vault = predecessor.reader.identifier
        index = Hexadecimal.text(predecessor.reader.indexDigest)
        name = predecessor.path.name
        key = []
        self.supersedes = supersedes
    }

    private init() {
        vault = ""
        index = ""
        name = ""
        key = []
        supersedes = []
    }

    /// Reads the record in the first entry of a container.
    ///
    /// - Returns: nil if the container continues no other.
    /// - Throws: `JSONError` if it is malformed.
    package init?(session json: [UInt8]) throws {
        var found: Continuation?
        var reader = JSONReader(json)
        try reader.object { reader, key in
            if key == Self.member { found = try Self.read(&reader) } else { _ = try reader.skip() }
        }
        try reader.finish()
        guard let found else { return nil }
        self = found
    }

    private static func read(_ reader: inout JSONReader) throws -> Continuation {
        var found = Continuation()
        try reader.object { reader, key in
            switch key {
            case "vault": found.vault = try reader.string()
            case "index": found.index = try reader.string()
            case "name": found.name = try reader.path()
            case "key": found.key = Hexadecimal.bytes(try reader.string()) ?? []
            case "supersedes":
                try reader.array { reader in
                    found.supersedes.append(try reader.path())
                }
            default: _ = try reader.skip()
            }
        }
        // The entries that describe how a container was made belong to that container only.
        let own: Set = [EntryPath.session, EntryPath.manifest]
        guard Hexadecimal.bytes(found.vault)?.count == 32, Hexadecimal.bytes(found.index)?.count == 32,
            found.key.count == ContainerKey.wrappedLength, own.isDisjoint(with: found.supersedes)
        else {
            throw reader.failure(.unexpected)
        }
        return found
    }

    /// Returns the predecessor's file key.
    ///
    /// - Parameter reader: The container that has this record.
    /// - Throws: `slotDamaged` if it was not encrypted for this container.
    func fileKey(in reader: borrowing ContainerReader) throws(ContainerError) -> SecretBytes {
        try reader.key.unwrap(
            key, container: Hexadecimal.bytes(vault) ?? [], index: Hexadecimal.bytes(index) ?? [])
    }

    /// Returns the path of the predecessor under its recorded name, in the folder of the container at `path`; nil if it
    /// is not there.
    func hinted(beside path: BytePath) -> BytePath? {
        guard name.isPlainName else { return nil }
        let place = path.sibling(name)
        return mayBe(place) ? place : nil
    }

    /// Returns the other candidates in the same folder, whose names end like that of a container.
    func others(beside path: BytePath) -> [BytePath] {
        let names = ((try? Folder.entries(of: path.parent)) ?? []).map(\.name)
        return names.filter { FurtherName.parts(of: $0) != nil && $0 != name }.map { path.sibling($0) }
            .filter { mayBe($0) }
    }

    /// Returns whether a file has the predecessor's identifier; copies and forgeries have it too.
    private func mayBe(_ place: BytePath) -> Bool {
        (try? FileStatus(at: place))?.kind == .file
            && CleartextHeader.identifiers(of: place).contains(vault)
    }

    /// Returns the path with the predecessor's recorded name; nil if nothing exists there.
    func namesake(beside path: BytePath) -> BytePath? {
        let place = path.sibling(name)
        return name.isPlainName && (try? FileStatus(at: place)) != nil ? place : nil
    }
}
