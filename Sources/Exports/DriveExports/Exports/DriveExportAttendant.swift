public import ArchiveManifest
public import ArchiveVerification
public import HealthExport
public import RecordedExports
public import SystemIO
public import VaultCrypto

/// Answers what an export to a destination asks, and is told what it does.
///
/// A command asks a person and prints; a program without anyone at it answers from its settings.
public protocol DriveExportAttendant: Sendable {
    /// How often a passphrase may be asked for: more than once only if a person types it.
    var passphraseAttempts: Int { get }
    /// Whether the export should stop.
    var isInterrupted: @Sendable () -> Bool { get }

    /// Returns the passphrase of a new archive, or of the one that is continued.
    func passphrase(continuing archive: BytePath?) throws -> Passphrase
    /// Returns whether an export may continue an archive that seems to be of another person or phone.
    func confirm(_ sign: ForeignSign) -> Bool
    /// Opens an archive or plain folder that is the source of a conversion.
    func openSource(at path: BytePath) throws -> ConversionSource
    /// Begins to show the progress of a step that writes to `target`, or reads it back if that is nil.
    func showProgress(to target: BytePath?) -> ProgressHandler
    /// Ends the display of progress; further questions and events may follow.
    func endProgress()
    /// Reports what happened.
    func report(_ event: DriveExportEvent) throws

    /// Runs a complete export; returns nil if there was nothing to do.
    ///
    /// - Parameter passphrase: The passphrase of an encrypted one.
    func export(
        _ record: ExportRecord, _ request: ExportRequest, _ passphrase: HeldPassphrase?
    ) async throws -> RecordedExport.Finished?

    /// Returns what the history records of a failure, without names and values; nil if the export is only interrupted
    /// or waits for its drive, and continues later.
    func reason(for error: any Error) -> String?
    /// Whether an error means that data is damaged.
    func isDamage(_ error: any Error) -> Bool
}

/// What happens during an export to a destination.
public enum DriveExportEvent: Sendable {
    /// A passphrase was wrong, and is asked for again.
    case wrongPassphrase
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
    /// The export was read back, and everything in it was checked.
    case verified(BytePath)
    /// The export was read back, and has flaws.
    case flawed(VerificationReport, BytePath)
    /// An older export was removed, because only a number of them is kept.
    case removed(BytePath)
    /// An older export could not be removed.
    case notRemoved(BytePath, any Error)
    /// The remains of an interrupted export were removed.
    case removedUnfinished(BytePath)
    /// Older exports could not be looked at.
    case notTidied(any Error)
}
