public import ArchiveManifest
import ArchiveReading
import ArchiveWriting
import CivilTime
public import SystemIO
public import VaultContainer
public import VaultCrypto

extension Exporter {
    /// Exports what failures left out of a finished container into a further container that continues it.
    ///
    /// `target` is the further container. The source is read again and compared with the existing contents, none of
    /// which are written a second time or replaced.
    ///
    /// - Parameters:
    ///   - archive: The container; it may continue another one itself.
    ///   - passphrase: The passphrase of the container, and of the further one.
    ///   - iterations: The number of PBKDF2 iterations, 600,000 to 10,000,000.
    /// - Returns: nil if the source provides nothing that the container lacks; nothing is then written.
    /// - Throws: `VaultError`; nothing then exists under the target's name.
    public func exportFurther(
        continuing archive: BytePath, passphrase: consuming Passphrase,
        iterations: Int = ContainerFormat.defaultIterations
    ) async throws(VaultError) -> Summary? {
        do {
            guard ContainerFormat.writableIterations.contains(iterations) else {
                throw ContainerError(.kdfRefused)
            }
            let chain: ContainerChain
            do { chain = try ContainerChain(opening: archive, passphrase: passphrase) } catch {
                throw VaultError.wrapping(error, path: archive)
            }
            var exporter = self
            exporter.batching = try PredecessorContents.batching(of: chain)
            let input = try exporter.open()
            let held = try PredecessorContents(chain, input.source)
            guard held.hasWork else { return nil }
            let newest = chain.links[0]
            let continuation = Continuation(newest, supersedes: held.mended.sorted())
            let session = try SessionText(input, tool: tool)
            let container = try ContainerDestination(
                target, replacing: false, passphrase: passphrase, iterations: iterations,
                facts: ContainerDestination.Facts(
                    tool: tool, created: Timestamp(seconds: SystemClock.now(), offsetMinutes: 0).utc,
                    modified: input.modified,
                    session: { key throws(ContainerError) in
                        try session.json(for: key, continuing: newest, as: continuation)
                    },
                    isResumable: true, startsOver: true, volumes: volumes,
                    progress: progress))
            try reportUnfinishedIdentity(isEncrypted: true)
            let run = ExportRun(
                exporter: exporter, input: input, destination: FurtherDestination(container, held: held),
                held: held)
            var summary = try await finish(run) { container.keyDerivationSeconds }
            summary.resumedSize = container.resumedBytes
            return summary
        } catch { throw VaultError.wrapping(error, path: target) }
    }
}
