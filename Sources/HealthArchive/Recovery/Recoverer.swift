public import SystemIO
import VaultContainer
public import VaultCrypto

/// Gets out of a damaged or unfinished container what still authenticates.
///
/// Whole entries become what they are in a plain folder. Of an entry with holes the bytes that are left are given as
/// they rest in the container, under its name with `.RECOVERED` behind it and with zeroes in the holes; of a side file
/// with lost pieces also the file itself, with zeroes for those.
public struct Recoverer: Sendable {
    /// The container.
    public var archive: BytePath
    /// An existing folder of ours is replaced once the new one is complete.
    public var replacing = false
    /// Is told how far it is.
    public var progress: ProgressHandler = { _ in }
    /// Is told before the first file is written.
    public var beginning: @Sendable () -> Void = {}
    /// Is asked from then on, again and again, whether to stop; then nothing of what was written stays.
    public var isInterrupted: @Sendable () -> Bool = { false }

    /// A recovery of `archive`.
    public init(archive: BytePath) { self.archive = archive }

    /// What the name of something with holes ends with.
    static let suffix: BytePath = ".RECOVERED"

    /// Finds out whether a folder can be made, before a passphrase is asked for.
    ///
    /// - Throws: `VaultError`.
    public func check(target folder: BytePath) throws(VaultError) {
        try Target.checkEarly(folder: folder, replacing: replacing)
    }

    /// Writes what is left into a folder, together with a report of what is lost.
    ///
    /// - Returns: The report.
    /// - Throws: `VaultError` where no key slot is sound, or not a single entry is left.
    public func recover(
        to folder: BytePath, passphrase: borrowing Passphrase
    ) throws(VaultError) -> RecoveryReport {
        do {
            try Target.check(folder: folder, replacing: replacing)
            var salvage = try ContainerSalvage(opening: archive, passphrase: passphrase)
            guard !salvage.entries.isEmpty else { throw VaultError(.nothingLeft, path: archive) }
            beginning()
            let destination = try FolderDestination(folder, replacing: replacing)
            do {
                var run = try RecoveryRun(
                    destination: destination, progress: progress, isInterrupted: isInterrupted)
                var report = try run.recover(&salvage)
                try destination.addFile(EntryPath.recoveryReport, report.json)
                try destination.finish()
                report.leftBehind = destination.leftBehind
                return report
            } catch {
                destination.abandon()
                throw error
            }
        } catch { throw VaultError.wrapping(error, path: archive) }
    }
}
