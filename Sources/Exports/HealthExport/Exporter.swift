import AppleHealthExport
public import ArchiveManifest
import ArchiveWriting
public import CivilTime
public import HealthModel
public import SampleBatches
public import SystemIO
public import VaultContainer
public import VaultCrypto

/// Turns an export of the Health app into a container or a plain folder.
public struct Exporter: Sendable {
    /// The path of the source; `-` for standard input.
    public var source: BytePath
    /// The container or folder to make.
    public var target: BytePath
    /// The rule for putting samples into batches.
    public var batching = BatchOptions(span: .byLength)
    /// The number of threads.
    ///
    /// The output does not depend on it.
    public var jobs = CurrentProcess.processorCount
    /// Whether an existing target is replaced once the new one is complete.
    public var replacing = false
    /// Whether everything that can be read of a damaged source is exported.
    ///
    /// Such an export never replaces an existing target.
    public var acceptsDamage = false
    /// Whether the unfinished output of an earlier run is discarded instead of continued.
    public var restarts = false
    /// How a container is split into volumes; nil for the rule that its file system needs.
    public var volumes: VolumeRule?
    /// Called with the identity of the unfinished output, once there is one; see ``UnfinishedOutput``.
    public var began: @Sendable (String) throws -> Void = { _ in }
    /// Called if the export continues an interrupted run, with the number of bytes kept; nil if not known yet.
    public var resuming: @Sendable (_ kept: Int?) -> Void = { _ in }
    /// Called with the identity and the manifest of the finished output, just before it gets its name; see
    /// ``OutputIdentity``.
    ///
    /// An error that it throws ends the export, whose output then does not get its name.
    public var finishing: @Sendable (_ identity: String, Manifest) throws -> Void = { _, _ in }
    /// The name and version of the program, for a container's index.
    public var tool = "healthvault"
    /// Called repeatedly to ask whether to stop; the export then throws `interrupted`, and can be continued.
    public var isInterrupted: @Sendable () -> Bool = { false }
    /// Called with the progress.
    public var progress: ProgressHandler = { _ in }

    /// Makes an export from a source to a target.
    public init(source: BytePath, target: BytePath) {
        self.source = source
        self.target = target.withoutTrailingSlashes
    }

    /// The result of an export.
    public struct Summary: Sendable {
        /// The manifest of the export.
        public let manifest: Manifest
        /// The size of the source, in bytes: of the zip, the folder's files, or the document.
        public internal(set) var sourceSize: Int
        /// The size of what was written, in bytes.
        public let targetSize: Int
        /// The duration of the export, in seconds.
        public internal(set) var seconds: Double
        /// The duration of the key derivation, in seconds; 0 for a plain folder.
        public let keyDerivationSeconds: Double
        /// The number of bytes that an interrupted run wrote and that were not written again.
        public var resumedSize = 0
        /// The folder that was replaced, if it could not be removed; nil otherwise.
        public var leftBehind: BytePath?
    }

    /// Exports into a plain folder, unencrypted.
    ///
    /// - Throws: `VaultError`; nothing new then exists at the target's path.
    public func exportFolder() async throws(VaultError) -> Summary {
        do {
            let input = try open()
            let isResumable = input.source.kind != .standardInput
            let destination = try FolderDestination(
                target, replacing: replacing,
                session: isResumable ? try SessionText(input, tool: tool).json() : nil,
                restarting: restarts, skippingRefused: true)
            if destination.isResumed { resuming(nil) }
            try reportUnfinishedIdentity(isEncrypted: false)
            let run = ExportRun(exporter: self, input: input, destination: destination)
            var summary = try await finish(run) { 0 }
            summary.resumedSize = destination.resumedBytes
            summary.leftBehind = destination.leftBehind
            return summary
        } catch { throw VaultError.wrapping(error, path: target) }
    }

    /// Exports into an encrypted container.
    ///
    /// - Parameters:
    ///   - passphrase: The passphrase that will open the container.
    ///   - iterations: The number of PBKDF2 iterations, 600,000 to 10,000,000.
    /// - Throws: `VaultError`; nothing new then exists at the target's path.
    public func exportContainer(
        passphrase: consuming Passphrase, iterations: Int = ContainerFormat.defaultIterations
    ) async throws(VaultError) -> Summary {
        do {
            guard ContainerFormat.writableIterations.contains(iterations) else {
                throw ContainerError(.kdfRefused)
            }
            let input = try open()
            let now = SystemClock.now()
            let session = try SessionText(input, tool: tool)
            let destination = try ContainerDestination(
                target, replacing: replacing, passphrase: passphrase, iterations: iterations,
                facts: ContainerDestination.Facts(
                    tool: tool, created: Timestamp(seconds: now, offsetMinutes: 0).utc,
                    modified: input.modified, session: { _ in session.json() },
                    isResumable: input.source.kind != .standardInput, restarts: restarts,
                    volumes: volumes, progress: progress))
            if destination.resumedBytes > 0 { resuming(destination.resumedBytes) }
            try reportUnfinishedIdentity(isEncrypted: true)
            let run = ExportRun(exporter: self, input: input, destination: destination)
            var summary = try await finish(run) { destination.keyDerivationSeconds }
            summary.resumedSize = destination.resumedBytes
            return summary
        } catch { throw VaultError.wrapping(error, path: target) }
    }

    /// Checks whether source and target can be used, before asking for a passphrase.
    ///
    /// - Throws: `VaultError`.
    public func check() throws(VaultError) {
        do {
            try checkSeparation()
            if source != "-" { _ = try openSource() }
            try Target.check(file: target, replacing: replacing)
        } catch { throw VaultError.wrapping(error, path: target) }
    }

    /// Returns the facts that distinguish the source from others, as far as they are known without reading all of it.
    ///
    /// - Throws: `VaultError` if there is no such source.
    public func sourceFingerprint() throws(VaultError) -> StoreFingerprint {
        do { return try ExportDocument(try openSource()).quickFacts() } catch {
            throw VaultError.wrapping(error, path: source)
        }
    }

    /// Returns the rule for putting samples into batches, resolved for the source.
    ///
    /// - Throws: `VaultError` if there is no such source.
    public func resolvedBatching() throws(VaultError) -> BatchOptions {
        do { return batching.resolved(forLength: try openSource().documentSize) } catch {
            throw VaultError.wrapping(error, path: source)
        }
    }

    /// Returns the time of the export, which stands at the beginning of the document; nil if it does not have it.
    ///
    /// - Throws: `VaultError` if there is no such source.
    public func exportDate() throws(VaultError) -> Timestamp? {
        do { return try ExportInput(try openSource(), batching).exported } catch {
            throw VaultError.wrapping(error, path: source)
        }
    }

    func reportUnfinishedIdentity(isEncrypted: Bool) throws {
        if let identity = UnfinishedOutput.identity(ofTarget: target, isEncrypted: isEncrypted) {
            try began(identity)
        }
    }

    /// Opens the source; a zip without a directory only if damage is accepted.
    func openSource() throws(ExportError) -> ExportSource {
        try ExportSource(opening: source, acceptingDamage: acceptsDamage)
    }

    /// Opens the source, and checks that the target may be written.
    func open() throws -> ExportInput {
        if acceptsDamage, replacing { throw VaultError(.targetExists, path: target) }
        let source = try openSource()
        try checkSeparation()
        let input = try ExportInput(source, batching)
        // Otherwise this would be detected only after everything was read.
        guard Manifest.canList(files: source.sideFiles.map(\.name), ignored: source.ignoredFiles) else {
            throw VaultError(.manifestTooLarge, path: self.source)
        }
        return input
    }

    /// Checks that the target is not the source, and that neither contains the other.
    func checkSeparation() throws {
        guard source != "-", let here = try? FileStatus(at: source) else { return }
        let inside = try Folder.canonical(target.parent) / target.name
        if try Self.lineage(inside).contains(where: { $0.isSameFile(as: here) }) {
            throw VaultError(.targetIsSource, path: target)
        }
        guard let there = try? FileStatus(at: target), there.kind == .folder else { return }
        let origin = try Folder.canonical(source)
        if try Self.lineage(origin).contains(where: { $0.isSameFile(as: there) }) {
            throw VaultError(.targetIsSource, path: target)
        }
    }

    /// Returns the status of an absolute path, and of the folders above it.
    private static func lineage(_ path: BytePath) throws -> [FileStatus] {
        var lineage: [FileStatus] = []
        var path = path
        while path != "/" {
            if let status = try? FileStatus(at: path) { lineage.append(status) }
            path = path.parent
        }
        return lineage
    }

    /// Runs an export, and gives its output its final name.
    func finish(_ run: ExportRun, keyDerivation: () -> Double) async throws -> Summary {
        let start = SystemClock.uptime()
        var run = run
        let destination = run.destination
        do {
            let manifest = try await run.export()
            let json = manifest.json
            guard manifest.canBeStored(as: json) else {
                throw VaultError(.manifestTooLarge, path: target)
            }
            let isEncrypted = destination.form == .stored
            if let identity = OutputIdentity.expected(ofTarget: target, isEncrypted: isEncrypted, json) {
                try finishing(identity, manifest)
            }
            if destination.form == .plain { progress(VaultProgress(.syncing)) }
            try await destination.finish(manifest: json)
            return Summary(
                manifest: manifest, sourceSize: run.input.size.stored, targetSize: destination.size,
                seconds: SystemClock.uptime() - start, keyDerivationSeconds: keyDerivation())
        } catch {
            var failure = VaultError.wrapping(error, path: target)
            if failure.isTransient { failure.isResumable = await destination.suspend(after: failure) }
            if !failure.isResumable { destination.abandon() }
            throw failure
        }
    }
}
