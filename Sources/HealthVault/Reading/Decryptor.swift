public import SystemIO
public import VaultContainer
public import VaultCrypto

/// Gives back what a container holds.
public struct Decryptor: Sendable {
    /// The container.
    public var archive: String
    /// How many processors are used.
    public var jobs = Process.processorCount
    /// An existing folder of ours is replaced once the new one is complete.
    public var replacing = false
    /// Is told how far it is.
    public var progress: ProgressHandler = { _ in }

    /// A decryption of `archive`.
    public init(archive: String) { self.archive = archive }

    /// Finds out whether a folder can be made, before a passphrase is asked for.
    ///
    /// - Throws: `VaultError`.
    public func check(target folder: String) throws(VaultError) {
        try Target.checkEarly(folder: folder, replacing: replacing)
    }

    /// What was done.
    public struct Summary: Sendable {
        /// Number of files written.
        public let files: Int
        /// Their bytes.
        public let size: Int
        /// Seconds from start to end.
        public let seconds: Double
        /// Seconds of key derivation.
        public let keyDerivationSeconds: Double
        /// What was not as it should be without hindering the decryption.
        public let warnings: Set<ContainerWarning>
        /// The same of the containers that the archive continues, by their paths.
        public let predecessorWarnings: [String: Set<ContainerWarning>]
    }

    /// How entries are written.
    public enum Form: Sendable {
        /// The plain folder that an export without encryption would have written.
        case plain
        /// The entries as they rest in the container.
        case stored
    }

    /// Writes the content into a folder, which gets its name when every tag was right.
    ///
    /// - Throws: `VaultError`; then nothing bears the folder's name that did not before.
    public func decrypt(
        to folder: String, as form: Form, passphrase: borrowing Passphrase
    ) async throws(VaultError) -> Summary {
        let start = Clock.uptime()
        do {
            try Target.check(folder: folder, replacing: replacing)
            let reader = try ContainerChain(opening: archive, passphrase: passphrase)
            // Without a manifest nobody could tell whether something is missing.
            guard reader.entries.contains(where: { $0.name == EntryPath.manifest }) else {
                throw VaultError(.noManifest, path: archive)
            }
            let destination = try FolderDestination(folder, replacing: replacing)
            do {
                let files = try await write(reader, destination, form)
                try destination.finish()
                return Summary(
                    files: files, size: destination.size, seconds: Clock.uptime() - start,
                    keyDerivationSeconds: reader.keyDerivationSeconds, warnings: reader.warnings,
                    predecessorWarnings: reader.predecessorWarnings)
            } catch {
                destination.abandon()
                throw error
            }
        } catch { throw VaultError.wrapping(error, path: archive) }
    }

    private struct Work: Sendable {
        let name: String
        let bytes: [UInt8]
    }

    private func write(
        _ reader: ContainerChain, _ destination: FolderDestination, _ form: Form
    ) async throws -> Int {
        let pool = DecoderPool()
        var workers = OrderedWorkers<Work, EncodedEntry>(jobs: jobs) { work in
            try pool.with { decoder in try decoder.plain(work.name, work.bytes) }
        }
        var files = FilePieces(destination)
        var state = Progress()
        state.total = reader.entries.reduce(0) { $0 + $1.length }
        var order = PieceOrder()
        for entry in reader.entries {
            guard order.follows(entry.name) else { throw ContainerError(.entryMismatch, entry: entry.name) }
            let bytes = try reader.data(of: entry)
            state.subject = entry.name
            switch form {
            case .stored: try destination.addFile(entry.name, bytes)
            case .plain where entry.name == EntryPath.session: break
            case .plain:
                try await workers.submit(Work(name: entry.name, bytes: bytes)) { try files.take($0) }
            }
            state.done += entry.length
            progress(state)
        }
        try await workers.finish { try files.take($0) }
        try files.endFile()
        return form == .stored ? reader.entries.count : files.count
    }

    /// Writes the tar stream inside a container to a file descriptor.
    ///
    /// Every byte of it is authentic; that it is whole is known only when this returns without an error.
    ///
    /// - Returns: What was not as it should be in each container that was read, by their paths.
    public func writeTar(
        to output: borrowing FileDescriptor, passphrase: borrowing Passphrase
    ) throws(VaultError) -> [String: Set<ContainerWarning>] {
        do {
            let reader = try ContainerChain(opening: archive, passphrase: passphrase)
            try reader.forEachPayloadPiece { piece in try output.write(piece) }
            return reader.predecessorWarnings.merging([archive: reader.warnings]) { _, mine in mine }
        } catch { throw VaultError.wrapping(error, path: archive) }
    }
}

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
private struct FilePieces {
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
