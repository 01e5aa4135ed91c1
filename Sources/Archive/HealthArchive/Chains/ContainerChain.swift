import ByteText
import SampleBatches
package import SystemIO
package import VaultContainer
import VaultCrypto

/// A container and those that it continues, read as one.
///
/// A container that continues no other is a chain of one.
package final class ContainerChain: Sendable {
    /// The containers, starting with the one that was opened.
    package let links: [ChainLink]
    /// The entries of the whole chain: `session.json` first, the manifest of the container that was opened last.
    package let entries: [ContainerEntry]
    /// The index of the link that has an entry, for entries that are not in the opened container itself.
    private let owners: [BytePath: Int]

    /// The maximum number of containers in a chain, far more than mending an export produces.
    static let longest = 64

    /// Opens a container and those that it continues, which must be in the same folder.
    ///
    /// - Parameters:
    ///   - path: The container.
    ///   - key: The key of the container, which has the keys of the others.
    ///   - acceptingDamage: Whether to open the container alone if damage hides whether it continues another one, for a
    ///     reader that notices what is missing.
    /// - Throws: `ContainerError` for the container itself, `VaultError` for those that it continues.
    package convenience init(opening path: BytePath, key: ArchiveKey, acceptingDamage: Bool = false) throws {
        try self.init(try ContainerReader(opening: path, key: key), acceptingDamage: acceptingDamage)
    }

    /// Opens the containers that an open one continues.
    init(_ newest: consuming ContainerReader, acceptingDamage: Bool = false) throws {
        let path = newest.path
        var links = [try ChainLink(path, newest, acceptingDamage: acceptingDamage)]
        var known: Set = [links[0].reader.identifier]
        while let last = links.last, let continuation = last.continuation {
            guard known.insert(continuation.vault).inserted, links.count < Self.longest else {
                throw VaultError(.endlessChain, path: path)
            }
            links.append(try Self.predecessor(continuation, of: last, acceptingDamage))
            DebugLog.log("\(last.path) continues \(links[links.count - 1].path)")
        }
        self.links = links
        guard links.count > 1 else {
            entries = links[0].reader.entries
            owners = [:]
            return
        }
        (entries, owners) = try Self.union(links)
    }

    /// Opens the container that a link continues: the file with the recorded name, or else any other that matches.
    private static func predecessor(
        _ continuation: Continuation, of link: ChainLink, _ acceptingDamage: Bool
    ) throws -> ChainLink {
        let fileKey: SecretBytes
        do { fileKey = try continuation.fileKey(in: link.reader) } catch {
            throw VaultError(.manifestMismatch, path: link.path)
        }
        var failure: VaultError?
        let hinted = continuation.hinted(beside: link.path)
        for path in (hinted.map { [$0] } ?? []) + continuation.others(beside: link.path).sorted() {
            do {
                let reader = try ContainerReader(opening: path, fileKey: fileKey)
                guard reader.identifier == continuation.vault,
                    Hexadecimal.text(reader.indexDigest) == continuation.index
                else { throw VaultError(.otherPredecessor(of: link.path), path: path) }
                return try ChainLink(path, reader, acceptingDamage: acceptingDamage)
            } catch let error as ContainerError where error.code == .headerTampered {
                // It has the identifier, but another key. Under another name it is an unrelated file.
                guard path == hinted else { continue }
                failure = VaultError(.otherPredecessor(of: link.path), path: path)
            } catch {
                failure = failure ?? VaultError.wrapping(error, path: path)
            }
        }
        if let failure { throw failure }
        if hinted == nil, let namesake = continuation.namesake(beside: link.path) {
            throw VaultError(.otherPredecessor(of: link.path), path: namesake)
        }
        throw VaultError(
            .predecessorMissing(name: continuation.name, vault: continuation.vault), path: link.path)
    }

    /// Returns the entries of all links, except those that a newer container supersedes.
    private static func union(
        _ links: [ChainLink]
    ) throws -> (entries: [ContainerEntry], owners: [BytePath: Int]) {
        var taken: Set<BytePath> = []
        var superseded: Set<BytePath> = []
        var older: [[ContainerEntry]] = []
        var owners: [BytePath: Int] = [:]
        for (number, link) in links.enumerated() {
            let counting =
                number == 0
                ? link.reader.entries
                : link.contents.filter { !superseded.contains($0.path) }.map(\.entry)
            let paths = Set(counting.map { StoredEntry.plainPath(ofEntry: $0.name) })
            // Two containers have the same file, and neither records which one is valid.
            guard paths.isDisjoint(with: taken) else {
                throw VaultError(.manifestMismatch, path: link.path)
            }
            taken.formUnion(paths)
            if number > 0 {
                older.append(counting)
                for entry in counting { owners[entry.name] = number }
            }
            superseded.formUnion(link.continuation?.supersedes ?? [])
        }
        let newest = links[0].reader.entries
        let first = newest.prefix { StoredEntry($0.name) == .session }
        return (Array(first) + older.reversed().joined() + newest[first.count...], owners)
    }

    private func owner(of name: BytePath) -> Int { owners.isEmpty ? 0 : owners[name] ?? 0 }

    /// Returns the bytes of an entry, checked against its digest.
    ///
    /// - Throws: `ContainerError` for the container that was opened, `VaultError` for another one.
    package func data(of entry: ContainerEntry) throws -> [UInt8] {
        try read(owner(of: entry.name)) { reader in try reader.data(of: entry) }
    }

    /// Returns the bytes of an entry when entries are read in order, so that each segment is decrypted only once.
    ///
    /// - Throws: `ContainerError` for the container that was opened, `VaultError` for another one.
    package func data(of entry: ContainerEntry, _ cursor: inout ChainCursor) throws -> [UInt8] {
        let owner = owner(of: entry.name)
        if owner != cursor.owner { cursor = ChainCursor(owner: owner) }
        return try read(owner) { reader in try cursor.entries.data(of: entry, in: reader) }
    }

    /// Returns the bytes of an entry when entries are read in any order, so that the keys of each segment are derived only
    /// once, unless they lie alternately in several archives.
    ///
    /// - Throws: `ContainerError` for the container that was opened, `VaultError` for another one.
    package func data(ofSingle entry: ContainerEntry, _ cursor: inout ChainCursor) throws -> [UInt8] {
        let owner = owner(of: entry.name)
        if owner != cursor.owner {
            // What the cursor keeps of bundles is worth more than keys.
            guard entry.isInBundle else { return try data(of: entry) }
            cursor = ChainCursor(owner: owner)
        }
        return try read(owner) { reader in try cursor.entries.data(ofSingle: entry, in: reader) }
    }

    private func read(
        _ owner: Int, _ body: (borrowing ContainerReader) throws -> [UInt8]
    ) throws -> [UInt8] {
        do { return try body(links[owner].reader) } catch let error as ContainerError {
            throw owner == 0 ? error : VaultError.wrapping(error, path: links[owner].path)
        }
    }

    /// Reads the tar stream of all `entries`, piece by piece.
    ///
    /// Every piece is authentic, but the stream is known to be complete only when this returns without an error.
    package func forEachPayloadPiece(_ body: (Span<UInt8>) throws -> Void) throws {
        let isFirst = { (entry: ContainerEntry) in StoredEntry(entry.name) == .session }
        try links[0].reader.forEachMemberPiece(where: isFirst, body)
        for number in links.indices.dropFirst().reversed() {
            try links[number].reader.forEachMemberPiece(
                where: { self.owners[$0.name] == number }, body)
        }
        try links[0].reader.forEachMemberPiece(where: { !isFirst($0) }, body)
        try body(ContainerReader.endOfPayload.span)
    }

    /// The warnings about the container that was opened.
    package var warnings: Set<ContainerWarning> { links[0].reader.warnings }
    /// The warnings about the containers that it continues, by path.
    package var predecessorWarnings: [BytePath: Set<ContainerWarning>] {
        Dictionary(links.dropFirst().map { ($0.path, $0.reader.warnings) }) { first, _ in first }
    }
    /// The warnings about all containers, by path.
    package var allWarnings: [BytePath: Set<ContainerWarning>] {
        predecessorWarnings.merging([links[0].path: warnings]) { _, mine in mine }
    }
    /// The duration of all key derivations, in seconds.
    package var keyDerivationSeconds: Double { links.reduce(0) { $0 + $1.reader.keyDerivationSeconds } }
    /// The total size of the files, in bytes.
    package var size: Int { links.total { $0.reader.size } }

    /// Returns the highest position of a sample.
    ///
    /// - Throws: `VaultError` if an index has one that no sample can have.
    package func lastPosition() throws(VaultError) -> Int {
        let last = entries.lazy.compactMap { $0.number("lastPosition") }
        guard last.allSatisfy({ (0..<SampleBatch.positionLimit).contains($0) }) else {
            throw VaultError(.manifestMismatch, path: links[0].path)
        }
        return last.max() ?? 0
    }

    /// Returns the manifest of the container that was opened, which describes the whole chain.
    ///
    /// - Throws: `VaultError.noManifest`.
    package func manifest() throws -> [UInt8] {
        let newest = links[0]
        guard let entry = newest.reader.entries.last(where: { StoredEntry($0.name) == .manifest }) else {
            throw VaultError(.noManifest, path: newest.path)
        }
        return try BatchDecoder().manifest(try newest.reader.data(of: entry))
    }
}

/// The position of a reader of all entries of a chain.
package struct ChainCursor: Sendable {
    fileprivate let owner: Int
    fileprivate var entries = EntryCursor()

    package init(owner: Int = 0) { self.owner = owner }
}
