import CommandLineKit
import HealthVault
import SystemIO
import VaultCrypto
import Wording

/// An export to a destination that asks for its passphrase, shows its progress and reports its outcome.
final class AttendedDriveExport: DriveExportAttendant {
    /// The source as the user spelled it, for messages.
    private let source: BytePath
    private let isEncrypted: Bool
    private let options: ExportRunOptions
    private let opening: @Sendable () throws -> ConversionSource

    /// Makes an attendant.
    ///
    /// - Parameters:
    ///   - source: The source as the user spelled it.
    ///   - isEncrypted: Whether an archive is written.
    ///   - options: The options for running the export.
    ///   - opening: Opens the source of a conversion.
    init(
        _ source: BytePath, isEncrypted: Bool, _ options: ExportRunOptions,
        opening: @escaping @Sendable () throws -> ConversionSource
    ) {
        self.source = source
        self.isEncrypted = isEncrypted
        self.options = options
        self.opening = opening
    }

    /// Returns the status for an outcome.
    static func status(_ outcome: DriveExport.Outcome) -> ExitStatus {
        switch outcome {
        case .nothingNew: .done
        case .written(let output): output.isIncomplete ? .incomplete : .done
        }
    }

    var isInterrupted: @Sendable () -> Bool { Interruption.isRequested }

    func passphrase(continuing archive: BytePath?) throws -> Passphrase {
        if let archive {
            return try options.passphrase.given.read(prompt: "Passphrase of \(archive): ")
        }
        return try options.passphrase.read(
            prompt: "Passphrase for the archive: ", iterations: options.iterations)
    }

    func retrying<Result>(_ operation: () async throws -> Result) async throws -> Result {
        let isAsked = isEncrypted && !options.passphrase.isGiven
        return try await PassphraseAttempts.run(whileAsked: isAsked, operation)
    }

    func agree(to doubt: DriveExportDoubt) -> Bool { DriveExportText.agree(to: doubt) }

    func openSource() throws -> ConversionSource { try opening() }

    func showProgress(of step: DriveExportStep) -> ProgressHandler {
        // An archive is verified after it was written.
        let steps: [VaultProgress.Phase] =
            isEncrypted ? [.reading, .readingBack, .authenticating, .checking] : []
        switch step {
        case .export(let target): Interruption.keepOutput(of: target, isEncrypted: isEncrypted)
        case .conversion(let target): Interruption.removeOutput(of: target)
        case .verification: break
        }
        return ProgressDisplay(options.progress, quiet: options.quiet, steps: steps).handler
    }

    func report(_ event: DriveExportEvent) throws {
        let isQuiet = options.quiet
        switch event {
        case .exported(let outcome, let record):
            let report = OutcomeReport(
                record: record, source: source, target: record.target, options: options)
            _ = try report.show(outcome)
        case .damaged(let archive):
            Console.log("\(archive) is damaged or incomplete: writing a full archive")
        case .needsFull(let reason): if !isQuiet { Console.log(IncrementText.describe(reason)) }
        case .nothingNew(let archive):
            if options.json {
                try Console.print(json: IncrementReport.nothingNew(archive))
            } else if !isQuiet {
                Console.log("nothing new: \(archive) already has everything")
            }
        case .incremented(let written):
            let report = IncrementReport(written: written, source: source)
            if options.json {
                try Console.print(json: report.json)
            } else {
                for line in isQuiet ? report.lacking : report.lines { Console.log(line) }
            }
        case .converted(let converter, let summary):
            let conversion = AttendedConversion(
                converter: converter, progress: options.progress, quiet: isQuiet, json: options.json)
            try conversion.show(summary)
        case .missing(let archive):
            Console.log(
                "warning: \(archive) is in the history and no longer at the destination; what only it contained is missing"
            )
        case .fewerPassphrases(let archive, let older, let count):
            Console.log(
                "warning: \(archive) opens only with the passphrase given now, \(older) with \(count): add the others with 'healthvault passphrase add'"
            )
        case .kept(let path, let doubt): Console.log(DriveExportText.describe(path, doubt))
        case .verified(let path):
            if !isQuiet, !options.json { Console.log("verified: \(path)") }
        case .flawed(let report, let path): VerificationText(report: report, archive: path).show(quiet: true)
        case .removed(let path): if !isQuiet { Console.log("removed: \(path)") }
        case .notRemoved(let path, let error):
            Console.log("warning: not removed: \(path): \(ErrorMessage(error).message)")
        case .removedUnfinished(let path):
            if !isQuiet { Console.log("removed the unfinished \(path)") }
        case .notTidied(let error):
            Console.log("warning: older exports were not removed: \(ErrorMessage(error).message)")
        }
    }
}
