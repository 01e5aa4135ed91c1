import ArchiveWriting
import ByteText
public import HealthArchive
public import SystemIO
public import VaultContainer

/// Decrypts a container.
public struct Decryptor: Sendable {
    /// The container.
    public var archive: BytePath
    /// The number of threads.
    public var jobs = CurrentProcess.processorCount
    /// Whether an existing export folder is replaced once the new one is complete.
    public var replacing = false
    /// Called with the progress.
    public var progress: ProgressHandler = { _ in }
    /// Called after each entry to ask whether to stop; if so, nothing that was written is kept.
    public var isInterrupted: @Sendable () -> Bool = { false }

    /// Makes a decryptor for `archive`.
    public init(archive: BytePath) { self.archive = archive }

    /// Checks whether a folder can be made, before asking for a passphrase.
    ///
    /// - Throws: `VaultError`.
    public func check(target folder: BytePath) throws(VaultError) {
        try Target.checkEarly(folder: folder, replacing: replacing)
    }

    /// The result of a decryption.
    public struct Summary: Sendable {
        /// The number of files written.
        public let files: Int
        /// Their total size, in bytes.
        public let size: Int
        /// The duration of the decryption, in seconds.
        public let seconds: Double
        /// The warnings about the archive, which did not prevent the decryption.
        public let warnings: Set<ContainerWarning>
        /// The manifest of the archive, which may list missing parts; nil if only some entries were decrypted.
        public let manifest: Manifest?
        /// Whether the manifest was decrypted like any other entry, because it cannot be read.
        public let isManifestUnreadable: Bool
        /// The warnings about the containers that the archive continues, by path.
        public let predecessorWarnings: [BytePath: Set<ContainerWarning>]
        /// The folder that was replaced, if it could not be removed; nil otherwise.
        public let leftBehind: BytePath?
    }

    /// The forms in which entries are written.
    public enum Form: Sendable {
        /// The form of the plain folder that an export without encryption would have written.
        case plain
        /// The form in which the entries are stored in the container.
        case stored
    }

    /// Decrypts the contents into a folder, which gets its name once every tag has been verified.
    ///
    /// - Throws: `VaultError`; nothing new then exists at the folder's path.
    public func decrypt(
        to folder: BytePath, as form: Form, key: ArchiveKey
    ) async throws(VaultError) -> Summary {
        try await fill(folder, key) { reader, destination in
            // Without a manifest there is no way to tell whether something is missing.
            let listed = try reader.manifest()
            // A manifest of a newer version is written like any other entry.
            let manifest = try? ManifestReader.read(listed)
            let entries = reader.entries.filter { entry in
                form == .stored
                    || entry.name != EntryPath.session && !StoredEntry.isGone(entry: entry.name)
            }
            return Written(
                files: try await write(entries, of: reader, destination, form), manifest: manifest,
                isManifestUnreadable: manifest == nil)
        }
    }

    /// Decrypts some entries into a folder under their paths, and reads nothing else from the archive.
    ///
    /// The folder has no manifest, only the list of digests: entries that are not listed in it were not requested.
    ///
    /// - Parameters:
    ///   - names: Paths in the plain folder or in the container, with or without `files/`; one element may list several
    ///     paths, separated by commas.
    ///   - folder: The folder to make.
    ///   - form: The form in which entries are written.
    ///   - key: The key of the archive.
    /// - Throws: `VaultError`; nothing new then exists at the folder's path.
    public func decryptEntries(
        _ names: [BytePath], to folder: BytePath, as form: Form = .plain, key: ArchiveKey
    ) async throws(VaultError) -> Summary {
        try await fill(folder, key) { reader, destination in
            let entries = try EntrySelection.entries(named: names, among: reader.entries)
            return Written(files: try await write(entries, of: reader, destination, form))
        }
    }

    /// The result of writing into a folder.
    private struct Written {
        let files: Int
        var manifest: Manifest?
        var isManifestUnreadable = false
    }

    /// Opens the archive and fills a new folder, which gets its name once it is complete.
    private func fill(
        _ folder: BytePath, _ key: ArchiveKey,
        _ write: (ContainerChain, FolderDestination) async throws -> Written
    ) async throws(VaultError) -> Summary {
        let start = SystemClock.uptime()
        do {
            try Target.check(folder: folder, replacing: replacing)
            let reader = try ContainerChain(opening: archive, key: key)
            let destination = try FolderDestination(folder, replacing: replacing)
            do {
                let written = try await write(reader, destination)
                progress(VaultProgress(.syncing))
                try destination.finish()
                return Summary(
                    files: written.files, size: destination.size, seconds: SystemClock.uptime() - start,
                    warnings: reader.warnings,
                    manifest: written.manifest, isManifestUnreadable: written.isManifestUnreadable,
                    predecessorWarnings: reader.predecessorWarnings, leftBehind: destination.leftBehind)
            } catch {
                destination.abandon()
                throw error
            }
        } catch {
            let failure = VaultError.wrapping(error, path: archive)
            // The folder was not made; the archive is untouched.
            throw failure.code == .interrupted ? VaultError(.interrupted, path: folder) : failure
        }
    }

    private func write(
        _ entries: [ContainerEntry], of reader: ContainerChain, _ destination: FolderDestination,
        _ form: Form
    ) async throws -> Int {
        var files = FilePieces(destination)
        var state = VaultProgress()
        state.total = entries.total(\.length)
        func report(_ entry: ContainerEntry) throws {
            state.subject = entry.name.description
            state.done += entry.length
            progress(state)
            try VaultError.checkInterruption(of: archive, isInterrupted)
        }
        switch form {
        case .stored:
            try await reader.read(entries, jobs: 1) { _, work, _ in
                work
            } use: {
                try destination.addFile($0.name, $0.bytes)
            } didRead: {
                try report($0)
            }
            return entries.count
        case .plain:
            let folder = destination.files
            try await reader.read(entries, jobs: jobs) { decoder, work, bounds in
                guard case .batch = StoredEntry(work.name) else {
                    return try EncodedEntry(decoder.plain(work.name, work.bytes, within: bounds))
                }
                let batch = try decoder.batch(work.bytes, work.name, within: bounds)
                return try EncodedEntry(to: folder, as: StoredEntry.plainPath(ofEntry: work.name)) { write in
                    try decoder.forEachPiece(of: batch, write)
                }
            } use: {
                try files.add($0)
            } didRead: {
                try report($0)
            }
            try files.endFile()
            return files.count
        }
    }

    /// Writes the tar stream inside a container to a file descriptor.
    ///
    /// Every byte is authentic, but the stream is known to be complete only when this returns without an error.
    ///
    /// - Returns: The warnings about each container that was read, by path, and the manifest, if it can be read.
    public func writeTar(
        to output: borrowing FileDescriptor, key: ArchiveKey
    ) throws(VaultError) -> (warnings: [BytePath: Set<ContainerWarning>], manifest: Manifest?) {
        do {
            let reader = try ContainerChain(opening: archive, key: key)
            try reader.forEachPayloadPiece { piece in try output.write(piece) }
            return (reader.allWarnings, try? ManifestReader.read(try reader.manifest()))
        } catch { throw VaultError.wrapping(error, path: archive) }
    }
}
