import ArchiveWriting
import ByteText
public import HealthArchive
public import SystemIO
import VaultContainer
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
    /// - Returns: nil if the source provides nothing that the container lacks; nothing is then written.
    /// - Throws: `VaultError`; nothing then exists under the target's name.
    public func exportFurther(
        continuing archive: BytePath, passphrase: consuming Passphrase
    ) async throws(VaultError) -> Summary? {
        do {
            try settings.checkIterations()
            let chain: ContainerChain
            do {
                chain = try ContainerChain(
                    opening: archive, key: .passphrase(Passphrase(copying: passphrase)))
            } catch {
                throw VaultError.wrapping(error, path: archive)
            }
            var exporter = self
            exporter.batching = try PredecessorContents.batching(of: chain)
            let input = try exporter.open()
            let held = try PredecessorContents(chain, input.source)
            guard held.hasWork else { return nil }
            let newest = chain.links[0]
            var setup = ContainerSetup(
                target, try SessionDescription(input, tool: settings.tool), modified: input.modified, settings
            )
            setup.isResumable = true
            setup.predecessor = (newest, Continuation(newest, supersedes: held.mended.sorted()))
            let container = try setup.begin(passphrase)
            try reportUnfinishedIdentity(isEncrypted: true)
            let destination = FurtherDestination(container, held: held)
            return try await finish(
                ExportRun(exporter: exporter, input: input, destination: destination, held: held))
        } catch { throw VaultError.wrapping(error, path: target) }
    }
}
