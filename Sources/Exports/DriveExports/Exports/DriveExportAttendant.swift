public import HealthArchive
public import HealthExport
public import SystemIO
public import VaultCrypto

/// Answers what an export to a destination asks, and is told what it does.
///
/// A command asks a person and prints. A program that asks nobody needs to supply only passphrases and the source of a
/// conversion.
public protocol DriveExportAttendant: Sendable {
    /// Whether the export should stop.
    var isInterrupted: @Sendable () -> Bool { get }

    /// Returns the passphrase of a new archive, or of the one that is continued.
    func passphrase(continuing archive: BytePath?) throws -> Passphrase
    /// Runs an operation that asks for a passphrase, again if a person may have mistyped it.
    func retrying<Result>(_ operation: () async throws -> Result) async throws -> Result
    /// Returns whether an export goes on in spite of a doubt.
    func agree(to doubt: DriveExportDoubt) -> Bool
    /// Opens the source of a conversion, which may be encrypted.
    func openSource() throws -> ConversionSource
    /// Shows the progress of a step, until a question, an event or another step follows.
    func showProgress(of step: DriveExportStep) -> ProgressHandler
    /// Reports what happened.
    func report(_ event: DriveExportEvent) throws
}

extension DriveExportAttendant {
    /// Runs the operation once.
    public func retrying<Result>(_ operation: () async throws -> Result) async throws -> Result {
        try await operation()
    }

    /// Refuses.
    public func agree(to doubt: DriveExportDoubt) -> Bool { false }

    /// Shows nothing.
    public func showProgress(of step: DriveExportStep) -> ProgressHandler { { _ in } }

    /// Does nothing.
    public func report(_ event: DriveExportEvent) {}
}

/// A reason to ask before an export goes on.
public enum DriveExportDoubt: Sendable {
    /// The export to continue an archive with seems to be of another person or phone.
    case foreignExport(ForeignSign)
    /// The export is older than the newest one in this archive; it would become an archive of its own.
    case olderExport(BytePath)
    /// An older export is to be removed.
    case removal(BytePath, Pruning.Doubt)
}

/// A step of an export to a destination that takes time.
public enum DriveExportStep: Sendable {
    /// Writes an archive or a plain folder; after an interruption, the next run continues it.
    case export(BytePath)
    /// Writes other formats or selected samples; an interrupted run is started over.
    case conversion(BytePath)
    /// Reads an export back.
    case verification
}

/// What happens during an export to a destination.
public enum DriveExportEvent: Sendable {
    /// An export of everything ended, which has this record.
    case exported(RecordedExport.Outcome, ExportRecord)
    /// The newest archive is damaged or incomplete, so a full one is written.
    case damaged(BytePath)
    /// The newest archive cannot be continued, so a full one is written.
    case needsFull(Increment.Reason)
    /// The newest archive already has everything.
    case nothingNew(BytePath)
    /// Further data, or a full archive after a chain, was written.
    case incremented(Increment.Written)
    /// Other formats or selected samples were written.
    case converted(Converter, Converter.Summary)
    /// The newest archive in the history is no longer at the destination.
    case missing(BytePath)
    /// A new archive has only one of the passphrases of the archive that it continues, which has this number of them.
    case fewerPassphrases(BytePath, than: BytePath, Int)
    /// The export was read back, and everything in it was checked.
    case verified(BytePath)
    /// The export was read back, and has flaws.
    case flawed(VerificationReport, BytePath)
    /// An older export was removed, because only a number of them is kept.
    case removed(BytePath)
    /// An older export beyond the number to keep was not removed.
    case kept(BytePath, Pruning.Doubt)
    /// An older export could not be removed.
    case notRemoved(BytePath, any Error)
    /// The remains of an interrupted export were removed.
    case removedUnfinished(BytePath)
    /// Older exports could not be looked at.
    case notTidied(any Error)
}
