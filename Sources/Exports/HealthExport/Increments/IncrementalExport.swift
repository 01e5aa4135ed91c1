public import ArchiveManifest
import ArchiveReading
import ArchiveWriting
import CivilTime
import SampleBatches
public import SystemIO
public import VaultContainer
public import VaultCrypto

/// The outcome of an export that is to continue an archive of earlier ones.
public enum Increment: Sendable {
    /// The archive already has everything, and nothing was written.
    case nothingNew
    /// A full archive is needed instead, and nothing was written.
    case needsFull(Reason)
    /// The new data was written.
    case written(Written)

    /// A further container that was written.
    public struct Written: Sendable {
        /// The summary of the whole export, with the size of the further container.
        public internal(set) var summary: Exporter.Summary
        /// The number of samples that the archive did not have.
        public let added: Int
        /// The number of samples that the archive had and the export no longer has.
        public let vanished: Int
        /// The path of the further container.
        public let target: BytePath
        /// The number of side files that are new or have changed.
        public let changedFiles: Int
        /// The number of side files that the export no longer has.
        public let vanishedFiles: Int
        /// The paths of the containers that it continues, newest first; empty for a full one.
        public let continues: [BytePath]
    }

    /// Why an archive is not continued.
    public enum Reason: Sendable, Equatable {
        /// It continues so many others that starting anew is safer.
        case longChain
        /// More than half of the export would have to be written again.
        case mostChanged
        /// It contains only part of an export.
        case part
        /// Its batches were made by a rule that this program does not know.
        case otherBatching
        /// It has a newer export than the source.
        ///
        /// A continuation would make what the newer export had look as if it had vanished.
        case olderExport
    }

    /// The maximum number of archives in a chain, each of which may be lost on its own.
    public static let longestChain = 32
    /// The largest share of an export that is written to continue an archive.
    static let largestShare = 0.5
}

extension Exporter {
    /// Exports what a container of earlier exports does not have into a further container that continues it.
    ///
    /// `target` is the further container. The source is read once, into an unnamed encrypted file; then only the spans
    /// of each type whose samples differ are written, regardless of their time. Samples that the source no longer has
    /// are kept in batches of their own.
    ///
    /// - Parameters:
    ///   - archive: The container; it may continue others itself.
    ///   - passphrase: The passphrase of the container, and of the further one.
    ///   - iterations: The number of PBKDF2 iterations, 600,000 to 10,000,000.
    ///   - folder: The folder for the unnamed file.
    ///   - mirroring: Whether samples that the source no longer has are dropped.
    ///   - accepts: Called if the source seems to be another person's or another phone's; returns whether to continue.
    /// - Throws: `VaultError`, `otherExport` if the source was not accepted; nothing then exists at the target's path.
    public func exportIncrement(
        continuing archive: BytePath, passphrase: consuming Passphrase,
        iterations: Int = ContainerFormat.defaultIterations, spoolingIn folder: BytePath,
        mirroring: Bool = false,
        accepting accepts: (ForeignSign) -> Bool = { _ in false }
    ) async throws(VaultError) -> Increment {
        let start = SystemClock.uptime()
        do {
            guard ContainerFormat.writableIterations.contains(iterations) else {
                throw ContainerError(.kdfRefused)
            }
            let chain: ContainerChain
            do { chain = try ContainerChain(opening: archive, passphrase: passphrase) } catch {
                throw VaultError.wrapping(error, path: archive)
            }
            if let reason = try Self.obstacle(chain) { return .needsFull(reason) }
            var exporter = self
            exporter.batching = try PredecessorContents.batching(of: chain)
            let size = try exporter.open().size
            let found = try await exporter.spool(in: OpenFolder(opening: folder))
            let plan = try IncrementPlan(chain, found)
            if let sign = try ForeignSign(plan), !accepts(sign) {
                throw VaultError(.otherExport(sign), path: source)
            }
            if plan.isEmpty, !(mirroring && plan.holdsGone) { return .nothingNew }
            if plan.isOlder { return .needsFull(.olderExport) }
            if plan.share > Increment.largestShare { return .needsFull(.mostChanged) }
            let container = try further(chain, plan, passphrase, iterations, mirroring: mirroring)
            try reportUnfinishedIdentity(isEncrypted: true)
            var outcome = try await write(plan, chain, container, mirroring: mirroring)
            outcome.summary.sourceSize = size.stored
            outcome.summary.seconds = SystemClock.uptime() - start
            return .written(outcome)
        } catch { throw Self.wrapping(error, reading: archive, writing: target) }
    }

    /// Exports the source into a self-contained container, and keeps what only a container of earlier exports has.
    ///
    /// - Parameters: as for ``exportIncrement(continuing:passphrase:iterations:spoolingIn:mirroring:accepting:)``.
    /// - Throws: `VaultError`, `otherExport` if the source was not accepted, `olderExport` if it is older than the archive's; nothing then exists
    ///   at the target's path.
    public func exportFull(
        after archive: BytePath, passphrase: consuming Passphrase,
        iterations: Int = ContainerFormat.defaultIterations, spoolingIn folder: BytePath,
        accepting accepts: (ForeignSign) -> Bool = { _ in false }
    ) async throws(VaultError) -> Increment.Written {
        let start = SystemClock.uptime()
        do {
            let chain: ContainerChain
            do { chain = try ContainerChain(opening: archive, passphrase: passphrase) } catch {
                throw VaultError.wrapping(error, path: archive)
            }
            var exporter = self
            exporter.batching = try PredecessorContents.batching(of: chain)
            let size = try exporter.open().size
            let found = try await exporter.spool(in: OpenFolder(opening: folder))
            let plan = try IncrementPlan(chain, found, isFull: true)
            if let sign = try ForeignSign(plan), !accepts(sign) {
                throw VaultError(.otherExport(sign), path: source)
            }
            if plan.isOlder { throw VaultError(.olderExport, path: source) }
            let session = SessionText(found.manifest, tool: tool)
            let container = try ContainerDestination(
                target, replacing: false, passphrase: passphrase, iterations: iterations,
                facts: ContainerDestination.Facts(
                    tool: tool, created: Timestamp(seconds: SystemClock.now(), offsetMinutes: 0).utc,
                    modified: found.modified, session: { _ in session.json() }, isResumable: false,
                    volumes: volumes, progress: progress))
            try reportUnfinishedIdentity(isEncrypted: true)
            var outcome = try await write(plan, chain, container, mirroring: false)
            outcome.summary.sourceSize = size.stored
            outcome.summary.seconds = SystemClock.uptime() - start
            return outcome
        } catch { throw Self.wrapping(error, reading: archive, writing: target) }
    }

    /// Returns an error with the path that it concerns: a damaged container was read, not written.
    private static func wrapping(
        _ error: any Error, reading archive: BytePath, writing target: BytePath
    ) -> VaultError {
        guard let failure = error as? ContainerError else { return VaultError.wrapping(error, path: target) }
        if case .io = failure.code { return VaultError.wrapping(error, path: target) }
        return VaultError.wrapping(error, path: archive)
    }

    /// Returns the reason not to continue an archive, regardless of the source; nil if there is none.
    private static func obstacle(_ chain: ContainerChain) throws -> Increment.Reason? {
        if chain.links.count >= Increment.longestChain { return .longChain }
        let manifest = try ManifestReader.read(try chain.manifest())
        if manifest.selection != nil { return .part }
        return BatchOptions(parsing: manifest.batching) == nil ? .otherBatching : nil
    }

    /// Starts the further container, or continues an interrupted one of the same session.
    private func further(
        _ chain: ContainerChain, _ plan: IncrementPlan, _ passphrase: consuming Passphrase, _ iterations: Int,
        mirroring: Bool
    ) throws -> ContainerDestination {
        let newest = chain.links[0]
        let continuation = Continuation(newest, supersedes: plan.superseded(mirroring: mirroring))
        let session = SessionText(plan.found.manifest, tool: tool)
        return try ContainerDestination(
            target, replacing: false, passphrase: passphrase, iterations: iterations,
            facts: ContainerDestination.Facts(
                tool: tool, created: Timestamp(seconds: SystemClock.now(), offsetMinutes: 0).utc,
                modified: plan.found.modified,
                session: { key throws(ContainerError) in
                    try session.json(for: key, continuing: newest, as: continuation)
                },
                isResumable: true, restarts: restarts, startsOver: true, volumes: volumes,
                progress: progress))
    }

    private func write(
        _ plan: IncrementPlan, _ chain: ContainerChain, _ container: ContainerDestination, mirroring: Bool
    ) async throws -> Increment.Written {
        let terms = EncoderTerms(form: .stored, modified: plan.found.modified, isSmall: false)
        do {
            var run = IncrementRun(plan, continuing: chain, container, mirroring: mirroring) {
                try VaultError.checkInterruption(of: target, isInterrupted)
            }
            let written = try await run.write(jobs: jobs, terms)
            let json = written.manifest.json
            guard written.manifest.canBeStored(as: json) else {
                throw VaultError(.manifestTooLarge, path: target)
            }
            if let identity = OutputIdentity.expected(ofTarget: target, isEncrypted: true, json) {
                try finishing(identity, written.manifest)
            }
            try await container.finish(manifest: json)
            let summary = Summary(
                manifest: written.manifest, sourceSize: 0, targetSize: container.size, seconds: 0,
                keyDerivationSeconds: container.keyDerivationSeconds, resumedSize: container.resumedBytes)
            return Increment.Written(
                summary: summary, added: written.added, vanished: written.vanished,
                target: target, changedFiles: plan.changedFiles.count,
                vanishedFiles: plan.vanishedFiles.count, continues: plan.isFull ? [] : chain.links.map(\.path)
            )
        } catch {
            var failure = VaultError.wrapping(error, path: target)
            if failure.isTransient { failure.isResumable = await container.suspend(after: failure) }
            if !failure.isResumable { container.abandon() }
            throw failure
        }
    }
}

extension StoredExport {
    /// The time of the export, in seconds since 1970, for the entries of a container.
    fileprivate var modified: Int {
        manifest.exported?.seconds ?? 0
    }
}
