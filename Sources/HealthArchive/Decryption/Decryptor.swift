import ByteSpans
public import SystemIO
public import VaultContainer
public import VaultCrypto

/// Gives back what a container holds.
public struct Decryptor: Sendable {
    /// The container.
    public var archive: BytePath
    /// How many processors are used.
    public var jobs = CurrentProcess.processorCount
    /// An existing folder of ours is replaced once the new one is complete.
    public var replacing = false
    /// Is told how far it is.
    public var progress: ProgressHandler = { _ in }
    /// Is asked after each entry whether to stop; then nothing of what was written stays.
    public var isInterrupted: @Sendable () -> Bool = { false }

    /// A decryption of `archive`.
    public init(archive: BytePath) { self.archive = archive }

    /// Finds out whether a folder can be made, before a passphrase is asked for.
    ///
    /// - Throws: `VaultError`.
    public func check(target folder: BytePath) throws(VaultError) {
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
        /// What the archive says of itself, which may be that something is missing; nil where a part was decrypted.
        public let manifest: Manifest?
        /// Number of samples, where they were selected.
        public let samples: Int?
        /// The identifiers of types that were asked for and that the archive has nothing of.
        public let absentTypes: [String]
        /// The same of the containers that the archive continues, by their paths.
        public let predecessorWarnings: [BytePath: Set<ContainerWarning>]
        /// The folder that was replaced, where it could not be removed; nil where it was, or there was none.
        public let leftBehind: BytePath?
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
        to folder: BytePath, as form: Form, passphrase: borrowing Passphrase
    ) async throws(VaultError) -> Summary {
        try await fill(folder, passphrase) { reader, destination in
            // Without a manifest nobody could tell whether something is missing.
            let listed = try reader.manifest()
            // One of a newer version is given out like everything else.
            let manifest = try? ManifestReader.read(listed).manifest
            let entries = reader.entries.filter { entry in
                let isPlain = entry.name != EntryPath.session && StoredEntry(entry.name).batch?.isGone != true
                return form == .stored || isPlain
            }
            return Written(
                files: try await write(entries, of: reader, destination, form), manifest: manifest)
        }
    }

    /// Writes the selected samples into a folder, and reads nothing else of the archive.
    ///
    /// The folder has the files that are left of the whole plain folder when all rows that are not selected are taken out,
    /// and a manifest that lists them and says what was selected:
    ///
    /// ```swift
    /// let may = SampleSelection(
    ///     types: [.type(.heartRate), .group(.sleep)], since: TimeLimit(parsing: "2023-05-01"),
    ///     until: TimeLimit(parsing: "2023-05-31"))
    /// let summary = try await decryptor.decrypt(may, to: "may", passphrase: passphrase)
    /// ```
    ///
    /// - Throws: `VaultError`, `nothingSelected` where there is no such sample; then nothing bears the folder's name that
    ///   did not before.
    public func decrypt(
        _ selection: SampleSelection, to folder: BytePath, passphrase: borrowing Passphrase
    ) async throws(VaultError) -> Summary {
        try await fill(folder, passphrase) { reader, destination in
            var run = try SelectionRun(selection, of: reader, in: archive)
            var decoding = EntryDecoding<EncodedEntry?>(jobs: jobs, run.encoding())
            try await read(run.entries(of: reader), of: reader) { work in
                try await decoding.submit(work) { try run.take($0, destination) }
            }
            try await decoding.finish { try run.take($0, destination) }
            let manifest = run.manifest()
            guard !manifest.spans.isEmpty else { throw VaultError(.nothingSelected, path: archive) }
            try destination.addFile(EntryPath.manifest, manifest.json)
            return Written(
                files: run.files + 1, samples: manifest.sampleCount, absentTypes: run.absentTypes)
        }
    }

    /// Writes some entries into a folder under their paths, and reads nothing else of the archive.
    ///
    /// There is no manifest in the folder, only the list of digests: what is not listed in it was not asked for.
    ///
    /// - Parameters:
    ///   - names: Paths in the plain folder or in the container, also without `files/`; several in one with commas.
    ///   - folder: The folder to make.
    ///   - form: How entries are written.
    ///   - passphrase: Opens the archive.
    /// - Throws: `VaultError`; then nothing bears the folder's name that did not before.
    public func decryptEntries(
        _ names: [BytePath], to folder: BytePath, as form: Form = .plain, passphrase: borrowing Passphrase
    ) async throws(VaultError) -> Summary {
        try await fill(folder, passphrase) { reader, destination in
            let entries = try EntrySelection.entries(named: names, among: reader.entries)
            return Written(files: try await write(entries, of: reader, destination, form))
        }
    }

    /// What was written into a folder.
    private struct Written {
        let files: Int
        var manifest: Manifest?
        var samples: Int?
        var absentTypes: [String] = []
    }

    /// Opens the archive and makes a folder, which gets its name once it is filled.
    private func fill(
        _ folder: BytePath, _ passphrase: borrowing Passphrase,
        _ write: (ContainerChain, FolderDestination) async throws -> Written
    ) async throws(VaultError) -> Summary {
        let start = SystemClock.uptime()
        do {
            try Target.check(folder: folder, replacing: replacing)
            let reader = try ContainerChain(opening: archive, passphrase: passphrase)
            let destination = try FolderDestination(folder, replacing: replacing)
            do {
                let written = try await write(reader, destination)
                try destination.finish()
                return Summary(
                    files: written.files, size: destination.size, seconds: SystemClock.uptime() - start,
                    keyDerivationSeconds: reader.keyDerivationSeconds, warnings: reader.warnings,
                    manifest: written.manifest, samples: written.samples, absentTypes: written.absentTypes,
                    predecessorWarnings: reader.predecessorWarnings, leftBehind: destination.leftBehind)
            } catch {
                destination.abandon()
                throw error
            }
        } catch { throw VaultError.wrapping(error, path: archive) }
    }

    private func write(
        _ entries: [ContainerEntry], of reader: ContainerChain, _ destination: FolderDestination,
        _ form: Form
    ) async throws -> Int {
        var files = FilePieces(destination)
        switch form {
        case .stored:
            try await read(entries, of: reader) { try destination.addFile($0.name, $0.bytes) }
            return entries.count
        case .plain:
            var decoding = EntryDecoding<EncodedEntry>(jobs: jobs) { decoder, work, bounds in
                try decoder.plain(work.name, work.bytes, within: bounds)
            }
            try await read(entries, of: reader) { work in
                try await decoding.submit(work) { try files.take($0) }
            }
            try await decoding.finish { try files.take($0) }
            try files.endFile()
            return files.count
        }
    }

    /// Reads entries in their order, and hands each over.
    private func read(
        _ entries: [ContainerEntry], of reader: ContainerChain, _ submit: (EntryWork) async throws -> Void
    ) async throws {
        var state = VaultProgress()
        state.total = entries.total(\.length)
        // Where most entries are read, those that share a segment need not decrypt it each for itself.
        let sharesSegments = entries.count > reader.entries.count / 2
        var cursor = ChainCursor()
        for entry in entries {
            state.subject = entry.name.description
            let isShared = sharesSegments || entry.isInBundle
            let bytes = isShared ? try reader.data(of: entry, &cursor) : try reader.data(of: entry)
            try await submit(EntryWork(name: entry.name, bytes: bytes))
            state.done += entry.length
            progress(state)
            if isInterrupted() || Task.isCancelled { throw VaultError(.interrupted, path: archive) }
        }
    }

    /// Writes the tar stream inside a container to a file descriptor.
    ///
    /// Every byte of it is authentic; that it is whole is known only when this returns without an error.
    ///
    /// - Returns: What was not as it should be in each container that was read, by their paths.
    public func writeTar(
        to output: borrowing FileDescriptor, passphrase: borrowing Passphrase
    ) throws(VaultError) -> [BytePath: Set<ContainerWarning>] {
        do {
            let reader = try ContainerChain(opening: archive, passphrase: passphrase)
            try reader.forEachPayloadPiece { piece in try output.write(piece) }
            return reader.predecessorWarnings.merging([archive: reader.warnings]) { _, mine in mine }
        } catch { throw VaultError.wrapping(error, path: archive) }
    }
}
