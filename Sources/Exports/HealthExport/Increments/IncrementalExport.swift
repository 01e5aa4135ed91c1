import ArchiveWriting
import ByteText
public import HealthArchive
import SampleBatches
public import SystemIO
import VaultContainer
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
        public let summary: Exporter.Summary
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
        ///
        /// Its value is the size of what would be written, in per cent of a full archive.
        case mostChanged(percent: Int)
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
    ///   - folder: The folder for the unnamed file.
    ///   - mirroring: Whether samples that the source no longer has are dropped.
    ///   - accepts: Called if the source seems to be another person's or another phone's; returns whether to continue.
    /// - Throws: `VaultError`; ``IncrementError`` if the source was not accepted. Nothing then exists at the target's path.
    public func exportIncrement(
        continuing archive: BytePath, passphrase: consuming Passphrase, spoolingIn folder: BytePath,
        mirroring: Bool = false,
        accepting accepts: (ForeignSign) -> Bool = { _ in false }
    ) async throws -> Increment {
        let start = SystemClock.uptime()
        do {
            let chain = try open(archive, passphrase)
            if let reason = try Self.obstacle(chain) { return .needsFull(reason) }
            let (plan, size) = try await plan(chain, folder, isFull: false, accepts)
            if plan.isEmpty, !(mirroring && plan.holdsGone) { return .nothingNew }
            if plan.isOlder { return .needsFull(.olderExport) }
            if plan.share > Increment.largestShare {
                return .needsFull(.mostChanged(percent: Int((plan.share * 100).rounded())))
            }
            let base = try chain.lastPosition() + 1
            var setup = setup(plan)
            setup.isResumable = true
            setup.restarts = restarts
            let superseded = plan.superseded(mirroring: mirroring)
            setup.predecessor = (chain.links[0], Continuation(chain.links[0], supersedes: superseded))
            let container = try setup.begin(passphrase)
            return .written(
                try await write(
                    plan, chain, from: base, container, mirroring: mirroring, sourceSize: size, since: start))
        } catch { throw Self.wrapping(error, reading: archive, writing: target) }
    }

    /// Exports the source into a self-contained container, and keeps what only a container of earlier exports has.
    ///
    /// - Parameters: as for ``exportIncrement(continuing:passphrase:spoolingIn:mirroring:accepting:)``.
    /// - Throws: `VaultError`; ``IncrementError`` if the source was not accepted, or is older than the archive. Nothing
    ///   then exists at the target's path.
    public func exportFull(
        after archive: BytePath, passphrase: consuming Passphrase, spoolingIn folder: BytePath,
        accepting accepts: (ForeignSign) -> Bool = { _ in false }
    ) async throws -> Increment.Written {
        let start = SystemClock.uptime()
        do {
            let chain = try open(archive, passphrase)
            let (plan, size) = try await plan(chain, folder, isFull: true, accepts)
            if plan.isOlder { throw IncrementError(.older(""), path: source) }
            let container = try setup(plan).begin(passphrase)
            return try await write(
                plan, chain, from: 0, container, mirroring: false, sourceSize: size, since: start)
        } catch { throw Self.wrapping(error, reading: archive, writing: target) }
    }

    private static func wrapping(
        _ error: any Error, reading archive: BytePath, writing target: BytePath
    ) -> any Error {
        error as? IncrementError ?? VaultError.wrapping(error, reading: archive, writing: target)
    }

    /// Returns the reason not to continue an archive, regardless of the source; nil if there is none.
    private static func obstacle(_ chain: ContainerChain) throws -> Increment.Reason? {
        if chain.links.count >= Increment.longestChain { return .longChain }
        let manifest = try ManifestReader.read(try chain.manifest())
        if manifest.selection != nil { return .part }
        return BatchOptions(parsing: manifest.batching) == nil ? .otherBatching : nil
    }

    /// Opens the archive of earlier exports.
    private func open(_ archive: BytePath, _ passphrase: borrowing Passphrase) throws -> ContainerChain {
        try settings.checkIterations()
        do {
            return try ContainerChain(opening: archive, key: .passphrase(Passphrase(copying: passphrase)))
        } catch {
            throw VaultError.wrapping(error, path: archive)
        }
    }

    /// Reads the source and compares it with an archive.
    ///
    /// - Returns: The differences, and the size of the source.
    private func plan(
        _ chain: ContainerChain, _ folder: BytePath, isFull: Bool, _ accepts: (ForeignSign) -> Bool
    ) async throws -> (plan: IncrementPlan, sourceSize: Int) {
        var exporter = self
        exporter.batching = try PredecessorContents.batching(of: chain)
        let size = try exporter.open().size
        let found = try await exporter.spool(in: OpenFolder(opening: folder))
        let plan = try IncrementPlan(chain, found, isFull: isFull)
        DebugLog.log("\(plan.changes.count) spans differ, \(Int(plan.share * 100)) % of the export")
        if let sign = try plan.foreignSign(), !accepts(sign) {
            throw IncrementError(.other(sign), path: source)
        }
        return (plan, size.stored)
    }

    private func setup(_ plan: IncrementPlan) -> ContainerSetup {
        ContainerSetup(
            target, SessionDescription(plan.found.manifest, tool: settings.tool),
            modified: plan.found.modified,
            settings)
    }

    private func write(
        _ plan: IncrementPlan, _ chain: ContainerChain, from base: Int, _ container: ContainerDestination,
        mirroring: Bool, sourceSize: Int, since start: Double
    ) async throws -> Increment.Written {
        try reportUnfinishedIdentity(isEncrypted: true)
        let terms = EncoderTerms(modified: plan.found.modified, length: nil)
        var run = IncrementRun(plan, from: base, container, mirroring: mirroring) {
            try settings.checkInterruption(of: target)
        }
        let manifest = try await container.complete(target, settings) {
            let manifest = try await run.write(jobs: settings.jobs, terms)
            return (manifest, manifest.json)
        }
        let summary = Summary(
            of: container, manifest, sourceSize: sourceSize, seconds: SystemClock.uptime() - start)
        return Increment.Written(
            summary: summary, added: run.added, vanished: run.vanished,
            target: target, changedFiles: plan.changedFiles.count,
            vanishedFiles: plan.vanishedFiles.count, continues: plan.isFull ? [] : chain.links.map(\.path))
    }
}
