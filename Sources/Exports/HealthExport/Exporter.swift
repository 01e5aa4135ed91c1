import AppleHealthExport
import ArchiveWriting
public import ByteText
public import HealthArchive
public import HealthModel
public import SampleBatches
public import SystemIO
public import VaultCrypto

/// Turns an export of the Health app into a container or a plain folder.
public struct Exporter: Sendable {
    /// The path of the source; `-` for standard input.
    public var source: BytePath
    /// The container or folder to make.
    public var target: BytePath
    /// The rule for putting samples into batches.
    public var batching = BatchOptions(span: .byLength)
    /// Whether an existing target is replaced once the new one is complete.
    public var replacing = false
    /// Whether everything that can be read of a damaged source is exported.
    ///
    /// Such an export never replaces an existing target.
    public var acceptsDamage = false
    /// Whether the unfinished output of an earlier run is discarded instead of continued.
    public var restarts = false
    /// Called with the identity of the unfinished output, once there is one; see ``UnfinishedOutput``.
    public var began: @Sendable (String) throws -> Void = { _ in }
    /// How the export runs.
    public var settings = RunSettings()

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
        public let sourceSize: Int
        /// The size of what was written, in bytes.
        public let targetSize: Int
        /// The duration of the export, in seconds.
        public let seconds: Double
        /// The duration of the key derivation, in seconds; 0 for a plain folder.
        public let keyDerivationSeconds: Double
        /// The number of bytes that an interrupted run wrote and that were not written again.
        public let resumedSize: Int
        /// The folder that was replaced, if it could not be removed; nil otherwise.
        public let leftBehind: BytePath?
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
                session: isResumable ? try SessionDescription(input, tool: settings.tool).json() : nil,
                restarting: restarts, skippingRefused: true, isKeptWhenFull: settings.isKeptWhenFull)
            if destination.isResumed { settings.resuming(nil) }
            try reportUnfinishedIdentity(isEncrypted: false)
            return try await finish(ExportRun(exporter: self, input: input, destination: destination))
        } catch { throw VaultError.wrapping(error, path: target) }
    }

    /// Exports into an encrypted container.
    ///
    /// - Parameter passphrase: The passphrase that will open the container.
    /// - Throws: `VaultError`; nothing new then exists at the target's path.
    public func exportContainer(passphrase: consuming Passphrase) async throws(VaultError) -> Summary {
        do {
            try settings.checkIterations()
            let input = try open()
            var setup = ContainerSetup(
                target, try SessionDescription(input, tool: settings.tool), modified: input.modified, settings
            )
            setup.replacing = replacing
            setup.isResumable = input.source.kind != .standardInput
            setup.restarts = restarts
            let destination = try setup.begin(passphrase)
            if destination.resumedBytes > 0 { settings.resuming(destination.resumedBytes) }
            try reportUnfinishedIdentity(isEncrypted: true)
            return try await finish(ExportRun(exporter: self, input: input, destination: destination))
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
    func finish(_ run: ExportRun) async throws(VaultError) -> Summary {
        let start = SystemClock.uptime()
        var run = run
        let destination = run.destination
        let manifest = try await destination.complete(target, settings) {
            let manifest = try await run.export()
            return (manifest, manifest.json)
        }
        return Summary(
            of: destination, manifest, sourceSize: run.input.size.stored,
            seconds: SystemClock.uptime() - start)
    }
}

extension Exporter.Summary {
    /// Makes the summary of what was written to a destination.
    init(of destination: any ExportDestination, _ manifest: Manifest, sourceSize: Int, seconds: Double) {
        self.manifest = manifest
        self.sourceSize = sourceSize
        self.seconds = seconds
        targetSize = destination.size
        keyDerivationSeconds = destination.keyDerivationSeconds
        resumedSize = destination.resumedBytes
        leftBehind = destination.leftBehind
    }
}
