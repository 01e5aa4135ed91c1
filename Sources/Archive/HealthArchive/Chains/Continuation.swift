package import ByteText
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

    package func write(_ writer: inout JSONWriter) {
        writer.key("continues")
        RecordValue.object.write(self, &writer)
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
        var reader = JSONReader(json)
        let session = try RecordValue<SessionStart>.object.read(&reader)
        try reader.finish()
        guard let found = session.continues else { return nil }
        self = found
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

extension Continuation: FileRecord {
    package static let blank = Continuation()
    package static let fields: RecordFields<Continuation> = [
        .field(\.vault, "vault", .digest), .field(\.index, "index", .digest), .member(\.name, "name", .path),
        .field(
            \.key, "key",
            .mapped(.text, Hexadecimal.bytes(_:), Hexadecimal.text(_:)).when {
                $0.count == ContainerKey.wrappedLength
            }),
        // The entries that describe how a container was made belong to that container only.
        .member(
            \.supersedes, "supersedes",
            .list(of: .path).when { $0.allSatisfy { $0 != EntryPath.session && $0 != EntryPath.manifest } }),
    ]
}

extension RecordValue<String> {
    /// The hexadecimal digits of 32 bytes.
    fileprivate static let digest = text.when { Hexadecimal.bytes($0)?.count == 32 }
}

/// What the first entry of a container says of its predecessor.
private struct SessionStart: FileRecord {
    var continues: Continuation?

    static let blank = SessionStart()
    static let fields: RecordFields<SessionStart> = [.field(\.continues, "continues", .object)]
}
