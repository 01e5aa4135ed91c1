import ByteText
import DataCompression
package import HealthArchive
import SampleBatches
package import SystemIO
package import VaultContainer
package import VaultCrypto

/// A container that is sealed as the entries arrive.
package final class ContainerDestination: BundleDestination {
    package let form = ExportForm.stored

    private let header: HeaderDerivation?
    /// The header of the interrupted run that this one continues.
    private let resumedHeader: SealedHeader?
    private let path: BytePath
    /// The file at the path that will be replaced.
    private let replaced: ReplacedFile?
    private let facts: Facts
    private var writer: ContainerWriter?
    private let unfinished: UnfinishedFile?
    private var hasHeader = false
    /// Whether the container had segments, or was resumed, before its end was written.
    private var isWorthKeeping = false
    package private(set) var size = 0

    /// The facts about the run in the container's index and its first entry.
    package struct Facts {
        var tool: String
        var created: String
        var modified: Int
        /// Describes what the container will contain, once its key is known; an unfinished one with the same text is
        /// continued.
        var session: @Sendable (ContainerKey) throws(ContainerError) -> [UInt8]
        /// Whether the session can be determined again, so that an interrupted run can be continued.
        var isResumable: Bool
        /// Whether to start anew instead of continuing an interrupted run.
        var restarts = false
        /// How the container is split into volumes; nil for the rule that its file system needs.
        var volumes: VolumeRule?
        /// Whether to start anew if an unfinished container cannot be continued.
        var startsOver = false
        /// Called with the progress of the steps after the last entry.
        var progress: ProgressHandler

        package init(
            tool: String, created: String, modified: Int,
            session: @escaping @Sendable (ContainerKey) throws(ContainerError) -> [UInt8], isResumable: Bool,
            restarts: Bool = false, startsOver: Bool = false, volumes: VolumeRule? = nil,
            progress: @escaping ProgressHandler
        ) {
            self.tool = tool
            self.created = created
            self.modified = modified
            self.session = session
            self.isResumable = isResumable
            self.restarts = restarts
            self.startsOver = startsOver
            self.volumes = volumes
            self.progress = progress
        }
    }

    /// Continues an interrupted run, or starts a container, whose key is then derived from the passphrase concurrently.
    package init(
        _ path: BytePath, replacing: Bool, passphrase: consuming Passphrase, iterations: Int, facts: Facts
    ) throws {
        replaced = try Target.check(file: path, replacing: replacing)
        if replaced != nil { try Self.checkFollowers(of: path, passphrase) }
        self.path = path
        self.facts = facts
        let temporary = path + ContainerFormat.temporarySuffix
        if facts.isResumable, !facts.restarts, try Target.isFile(temporary) {
            writer = try Self.resume(path, passphrase, facts)
        }
        resumedHeader = writer?.resumedHeader
        resumedBytes = writer?.keptBytes ?? 0
        if writer != nil {
            header = nil
            hasHeader = true
        } else {
            try Target.clearUnfinished(file: temporary)
            let key = try ContainerKey.new()
            writer = try ContainerWriter(
                path: path, key: key, tool: facts.tool, created: facts.created, modified: facts.modified,
                volumes: facts.volumes)
            header = HeaderDerivation(key: key, passphrase: passphrase, iterations: iterations)
        }
        unfinished = writer?.unfinished
        DebugLog.log(
            "writing archive \(path): \(resumedBytes) bytes kept, \(replaced == nil ? "nothing" : "a file") replaced"
        )
        if let key = writer?.key {
            let session = try facts.session(key)
            try writer?.add(EntryPath.session, session.span)
        }
    }

    /// Checks that no archive in the folder that the passphrase opens continues the one to be replaced, whatever its
    /// name is.
    private static func checkFollowers(of path: BytePath, _ passphrase: borrowing Passphrase) throws {
        guard let identity = OutputIdentity.ofContainer(path) else { return }
        let archives = try FolderArchives(
            in: path.parent, key: .passphrase(Passphrase(copying: passphrase)))
        if let follower = archives.follower(of: identity), archives.copies(of: identity) < 2 {
            throw VaultError(.isContinued(by: follower), path: path)
        }
    }

    /// Reopens the unfinished container; returns nil to start anew.
    private static func resume(
        _ path: BytePath, _ passphrase: borrowing Passphrase, _ facts: Facts
    ) throws -> ContainerWriter? {
        do throws(ContainerError) {
            return try ContainerWriter(
                resuming: path, passphrase: passphrase, tool: facts.tool, created: facts.created,
                modified: facts.modified, volumes: facts.volumes, firstEntry: facts.session)
        } catch {
            switch error.code {
            case .incomplete, .notContainer: return nil
            case .io: throw error
            case _ where facts.startsOver: return nil
            default: throw VaultError(.notResumable(error), path: path + ContainerFormat.temporarySuffix)
            }
        }
    }

    /// The number of bytes that an interrupted run had written.
    package let resumedBytes: Int

    /// The duration of the key derivation, in seconds; 0 if it was not part of the run.
    package var keyDerivationSeconds: Double { header?.seconds ?? 0 }

    package func add(_ entry: EncodedEntry) throws -> Bool {
        try writer?.add(
            entry.name, entry.bytes.span, sha256: entry.sha256,
            properties: entry.batch.map { Self.properties($0) } ?? [])
        try writeHeaderIfReady()
        return true
    }

    package var bundles: (any BundleDestination)? { self }

    package func add(_ bundle: EncodedBundle) throws {
        try writer?.add(
            bundle.bundle, properties: bundle.batches.map { $0.map { Self.properties($0) } ?? [] })
        try writeHeaderIfReady()
    }

    private func writeHeaderIfReady() throws {
        size = writer?.payloadSize ?? 0
        if !hasHeader, let header = try header?.finished() {
            try writer?.write(header)
            hasHeader = true
        }
    }

    /// Returns the properties of a batch for the index.
    private static func properties(_ batch: BatchFacts) -> [ContainerProperty] {
        var properties = [
            ContainerProperty("element", batch.key.element), ContainerProperty("type", batch.key.type),
            ContainerProperty("span", batch.key.span), ContainerProperty("part", batch.key.part),
            ContainerProperty("count", batch.identity.count),
        ]
        if let first = batch.first, let last = batch.last {
            properties += [ContainerProperty("first", first.iso), ContainerProperty("last", last.iso)]
        }
        return properties + [
            ContainerProperty("firstPosition", batch.firstPosition),
            ContainerProperty("lastPosition", batch.lastPosition),
        ]
    }

    /// Does nothing: each piece of a file is a separate entry, and an empty file has one empty piece.
    package func endFile(_ path: BytePath) throws {}

    /// The length from which a manifest is compressed in a fifth of the time, which makes it 4 % longer.
    private static let longManifest = 1 << 17
    /// The length up to which it is compressed as much as possible: that of an archive that may be as small as the zip.
    private static let shortManifest = 1 << 16

    package func finish(manifest: [UInt8]) async throws {
        var header = resumedHeader
        if header == nil { header = try await self.header?.value() }
        guard let header else { return }
        if !hasHeader {
            try writer?.write(header)
            hasHeader = true
        }
        guard var writer = writer.take() else { return }
        isWorthKeeping = writer.hasSegments || resumedHeader != nil
        var compressor = try ZstandardCompressor()
        // Everything waits for this.
        let effort: CompressionEffort =
            manifest.count > Self.longManifest
            ? .text : manifest.count > Self.shortManifest ? .little : .least
        var frame = try compressor.compress(manifest.span, effort)
        // The entries of thousands of similar files may compress further than readers accept.
        if manifest.count > Manifest.longestText(of: frame.count) {
            frame = ZstandardCompressor.store(manifest.span)
        }
        try writer.add(EntryPath.storedManifest, frame.span)
        // Something else may have this path by now.
        if replaced != nil { try Target.check(file: path, replacing: true) }
        size = try writer.finish(header, replacing: replaced?.status) { step in
            switch step {
            case .syncing: facts.progress(VaultProgress(.syncing))
            case .readingBack(let done, let total):
                facts.progress(VaultProgress(.readingBack, done: done, total: total))
            }
        }
    }

    package func suspend(after failure: VaultError) async -> Bool {
        guard facts.isResumable else { return false }
        // All entries were written, but the drive did not accept the end.
        guard var writer = writer.take() else {
            return isWorthKeeping && hasHeader && failure.isAboutDrive
        }
        guard writer.hasSegments || resumedHeader != nil else { return false }
        do {
            // Without its header the container could never be opened.
            if !hasHeader, let header = try await header?.value() { try writer.write(header) }
            try writer.suspend()
            return true
        } catch {
            // Data that was flushed earlier can be continued. A drive that is reconnected may contain the header, too.
            return hasHeader || failure.isAboutDrive
        }
    }

    package func abandon() {
        writer = nil
        // Data of an earlier run is not discarded because this run failed.
        if resumedHeader == nil { try? unfinished?.remove() }
    }
}
