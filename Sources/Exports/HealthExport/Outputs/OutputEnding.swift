import ArchiveWriting
import HealthArchive
import SystemIO

extension ExportDestination {
    /// Writes an output and gives it its name; the one way in which a run ends.
    ///
    /// The output is announced with its identity just before it gets its name. After an error it is kept if a later run
    /// can continue it, and removed otherwise.
    ///
    /// - Parameters:
    ///   - target: The path that the output will have.
    ///   - settings: The settings of the run.
    ///   - write: Writes everything but the manifest, and returns it, with its text.
    /// - Throws: `VaultError`.
    func complete(
        _ target: BytePath, _ settings: RunSettings,
        _ write: () async throws -> (manifest: Manifest, text: [UInt8])
    ) async throws(VaultError) -> Manifest {
        do {
            let (manifest, text) = try await write()
            DebugLog.log("everything is written; finishing \(target)")
            guard manifest.canBeStored(as: text) else { throw VaultError(.manifestTooLarge, path: target) }
            try settings.announce(target, isEncrypted: form == .stored, manifest, text)
            if form == .plain { settings.progress(VaultProgress(.syncing)) }
            try await finish(manifest: text)
            DebugLog.log("finished \(target), \(size) bytes")
            return manifest
        } catch {
            var failure = VaultError.wrapping(error, path: target)
            if failure.isTransient { failure.isResumable = await suspend(after: failure) }
            DebugLog.log("failed; \(failure.isResumable ? "kept to be continued" : "removed"): \(target)")
            if !failure.isResumable { abandon() }
            throw failure
        }
    }
}

extension RunSettings {
    /// Passes on the identity that an output will have, if it has one.
    func announce(
        _ target: BytePath, isEncrypted: Bool, _ manifest: Manifest, _ text: [UInt8]
    ) throws {
        if let identity = OutputIdentity.expected(ofTarget: target, isEncrypted: isEncrypted, text) {
            try finishing(identity, manifest)
        }
    }
}
