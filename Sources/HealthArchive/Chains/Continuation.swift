import ByteSpans
package import JSONText
package import SystemIO
import VaultContainer
import VaultCrypto

/// What a further container says of the one that it continues; it stands in its first entry.
package struct Continuation: Sendable, Equatable {
    /// The predecessor's identifier, as hexadecimal digits.
    var vault: String
    /// SHA-256 of the predecessor's index, as hexadecimal digits.
    var index: String
    /// The file name that the predecessor had; it may have another one since.
    var name: BytePath
    /// The predecessor's file key, encrypted under a key that only the one that continues it has.
    package var key: [UInt8]
    /// Paths in the plain folder: entries of the predecessors that have them do not count.
    var supersedes: [BytePath]

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

    /// Says of a container that it is the predecessor; its key comes once that of the follower is known.
    package init(_ predecessor: ChainLink, supersedes: [BytePath]) {
        vault = predecessor.reader.vaultIdentifier
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

    /// Reads the first entry of a container.
    ///
    /// - Returns: nil where the container continues none.
    /// - Throws: `JSONError` where it is malformed.
    init?(session json: [UInt8]) throws {
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
        // What says how a container was made is that container's alone.
        let own: Set = [EntryPath.session, EntryPath.manifest]
        guard Hexadecimal.bytes(found.vault)?.count == 32, Hexadecimal.bytes(found.index)?.count == 32,
            found.key.count == VaultKey.wrappedLength, own.isDisjoint(with: found.supersedes)
        else {
            throw reader.failure(.unexpected)
        }
        return found
    }

    /// The predecessor's file key.
    ///
    /// - Parameter reader: The container that says so.
    /// - Throws: `slotDamaged` where it was not encrypted for this container.
    func fileKey(in reader: borrowing ContainerReader) throws(ContainerError) -> SecretBytes {
        try reader.key.unwrap(
            key, vault: Hexadecimal.bytes(vault) ?? [], index: Hexadecimal.bytes(index) ?? [])
    }

    /// Where the predecessor may lie: in the folder of the container at `path`, under the name that it had.
    func hinted(beside path: BytePath) -> BytePath? {
        guard name.isPlainName else { return nil }
        let place = path.sibling(name)
        return mayBe(place) ? place : nil
    }

    /// Where else it may lie: in the same folder, under any name that ends like that of a container.
    func others(beside path: BytePath) -> [BytePath] {
        let names = ((try? Folder.entries(of: path.parent)) ?? []).map(\.name)
        return names.filter { $0.hasSuffix(FurtherName.suffix) && $0 != name }.map { path.sibling($0) }
            .filter { mayBe($0) }
    }

    /// The file has the predecessor's identifier, as a copy of it has, or a file that was made to look like one.
    private func mayBe(_ place: BytePath) -> Bool {
        (try? FileStatus(at: place))?.kind == .file
            && CleartextHeader.vaultIdentifiers(of: place).contains(vault)
    }

    /// What bears the name that the predecessor had, nil where nothing does.
    func namesake(beside path: BytePath) -> BytePath? {
        let place = path.sibling(name)
        return name.isPlainName && (try? FileStatus(at: place)) != nil ? place : nil
    }
}
