public import HealthArchive
public import SystemIO
public import VaultContainer

/// An operation that recovers everything that still authenticates from a damaged or unfinished container.
///
/// Whole entries are written as in a plain folder. An entry with holes is written as it is stored in the container,
/// with zeroes in the holes, under its name with `.RECOVERED` appended; a side file with lost pieces is also written as
/// a file, with zeroes for these pieces.
public struct Recoverer: Sendable {
    /// The container.
    public var archive: BytePath
    /// Whether an existing export folder is replaced once the new one is complete.
    public var replacing = false
    /// Called with the progress.
    public var progress: ProgressHandler = { _ in }
    /// Called before the first file is written.
    public var beginning: @Sendable () -> Void = {}
    /// Called repeatedly from then on to ask whether to stop, in which case nothing that was written is kept.
    public var isInterrupted: @Sendable () -> Bool = { false }

    /// Makes a recoverer of `archive`.
    public init(archive: BytePath) { self.archive = archive }

    /// The suffix of the names of files with holes.
    static let suffix: BytePath = ".RECOVERED"

    /// Checks whether a folder can be made, before asking for a passphrase.
    ///
    /// - Throws: `VaultError`.
    public func check(target folder: BytePath) throws(VaultError) {
        try Target.checkEarly(folder: folder, replacing: replacing)
    }

    /// Checks whether a passphrase may open what is left of a container, before asking for it.
    ///
    /// - Throws: `VaultError`.
    public func checkArchive() throws(VaultError) {
        do { try ContainerSalvage.check(archive) } catch { throw VaultError.wrapping(error, path: archive) }
    }

    /// Writes everything that can be recovered into a folder, together with a report of what is lost.
    ///
    /// - Returns: The report.
    /// - Throws: `VaultError` if the key does not open what is left; ``RecoveryError`` if no entry is left.
    public func recover(
        to folder: BytePath, key: ArchiveKey
    ) throws -> RecoveryReport {
        do {
            try Target.check(folder: folder, replacing: replacing)
            var salvage = try ContainerSalvage(opening: archive, key: key)
            guard !salvage.entries.isEmpty else { throw RecoveryError(.nothingLeft, path: archive) }
            beginning()
            let destination = try FolderDestination(folder, replacing: replacing)
            do {
                var run = try RecoveryRun(
                    to: folder, destination: destination, progress: progress, isInterrupted: isInterrupted)
                var report = try run.recover(&salvage)
                try destination.addFile(EntryPath.recoveryReport, report.json)
                try destination.finish()
                report.leftBehind = destination.leftBehind
                return report
            } catch {
                destination.abandon()
                throw error
            }
        } catch let error as RecoveryError { throw error } catch {
            throw VaultError.wrapping(error, path: archive)
        }
    }
}
