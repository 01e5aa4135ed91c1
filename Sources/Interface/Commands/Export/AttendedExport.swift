import CommandLineKit
import HealthVault
import SystemIO
import VaultContainer
import VaultCrypto
import Wording

/// An export with a record that asks for its passphrase, shows its progress and reports its outcome.
struct AttendedExport {
    private let record: ExportRecord
    private let request: ExportRequest
    private let options: ExportRunOptions
    /// Source and target as the user spelled them, for messages.
    var source: BytePath
    var target: BytePath

    init(_ record: ExportRecord, _ request: ExportRequest, options: ExportRunOptions) {
        self.record = record
        self.request = request
        self.options = options
        source = record.source
        target = record.target
    }

    func run() async throws -> ExitStatus {
        let steps: [VaultProgress.Phase] = record.isEncrypted ? [.reading, .readingBack] : []
        let display = ProgressDisplay(options.progress, quiet: options.quiet, steps: steps)
        var export = try recordedExport(display)
        let outcome: RecordedExport.Outcome
        do {
            let isAsked = record.isEncrypted && !options.passphrase.isGiven
            outcome = try await PassphraseAttempts.run(whileAsked: isAsked) { try await export.run() }
        } catch let error as RecordedExportError {
            guard case .otherOptions(let options) = error.code else { throw error }
            throw UsageError(
                .invalidCombination,
                "session \(record.identifier) belongs to an export with different "
                    + options.joined(separator: ", "),
                hint: "choose another name, or use --restart to start over under this one")
        }
        return try OutcomeReport(record: record, source: source, target: target, options: options)
            .show(outcome)
    }

    private func recordedExport(_ display: ProgressDisplay) throws -> RecordedExport {
        var export = RecordedExport(record, request, in: try records) { purpose in try passphrase(purpose) }
        export.source = source
        export.target = target
        export.settings = options.settings(showing: display)
        let (source, target, isEncrypted) = (source, target, record.isEncrypted)
        export.willRun = {
            // Standard input cannot be read again. It may be a process that goes on, and then a second request ends the export.
            if source == "-" {
                Interruption.removeOutput(of: target, isEncrypted: isEncrypted)
            } else {
                Interruption.keepOutput(of: target, isEncrypted: isEncrypted)
            }
        }
        return export
    }

    /// The records of sessions; nil for an unnamed export without a state folder, and for standard input, which can be
    /// read only once.
    private var records: ExportRecords? {
        get throws {
            guard source != "-" else { return nil }
            return record.isNamed ? try options.stateFolder.records() : try? options.stateFolder.records()
        }
    }

    private func passphrase(_ purpose: RecordedExport.PassphrasePurpose) throws -> Passphrase {
        switch purpose {
        case .newArchive:
            if let passphrase = try unfinishedPassphrase() { return passphrase }
            return try options.passphrase.read(
                prompt: "Passphrase for the archive: ", iterations: options.iterations)
        case .continuedArchive:
            guard !options.passphrase.generate else {
                throw UsageError(
                    .invalidCombination,
                    "the new archive needs the passphrase of the archive that it continues",
                    hint: "leave out --generate-passphrase")
            }
            return try options.passphrase.given.read(prompt: "Passphrase of \(record.newest): ")
        }
    }

    /// Returns the passphrase of an interrupted export, confirmed when the export began; nil if there is none.
    ///
    /// It is checked before the source is read: only a passphrase that opens the unfinished archive needs no second
    /// entry.
    private func unfinishedPassphrase() throws -> Passphrase? {
        guard request != .restart, !options.passphrase.given.isGiven,
            UnfinishedOutput.identity(ofTarget: record.output, isEncrypted: true) != nil
        else { return nil }
        guard !options.passphrase.generate else {
            throw UsageError(
                .invalidCombination, "resuming needs the passphrase that the export was started with",
                hint: "leave out --generate-passphrase, or add --restart to start over")
        }
        let unfinished = UnfinishedOutput.path(forTarget: target, isEncrypted: true)
        let passphrase = HeldPassphrase(
            try options.passphrase.given.read(prompt: "Passphrase of \(unfinished): "))
        let kept = try SessionContents.kept(ofArchive: record.output, key: .passphrase(passphrase))
        return kept.entries > 0 ? try passphrase.copy() : nil
    }
}

/// The report of how an export with a record ended.
struct OutcomeReport {
    let record: ExportRecord
    /// Source and target as the user spelled them.
    let source: BytePath
    let target: BytePath
    let options: ExportRunOptions

    /// Prints the report, and returns the status.
    func show(_ outcome: RecordedExport.Outcome) throws -> ExitStatus {
        switch outcome {
        case .complete(let stored): try showComplete(stored)
        case .exported(let finished): try show(finished)
        case .nothingMended(let stored, let output): try showNothingMended(stored, output)
        }
    }

    private func showComplete(_ stored: ExportRecord) throws -> ExitStatus {
        if options.json { try printRecord(stored) }
        let isWhole = stored.phase == .completed
        if !options.quiet {
            let failed: TerminalText = isWhole ? "" : ", except for failed parts"
            Console.log("session \(record.identifier) is already complete\(failed): \(target)")
            if !isWhole {
                Console.log(ExportReport.remedy(record.identifier, acceptsDamage: stored.acceptsDamage))
            }
        }
        return isWhole ? .done : .incomplete
    }

    private func show(_ finished: RecordedExport.Finished) throws -> ExitStatus {
        if let error = finished.unsaved { warn(unsaved: error, isAnnounced: finished.isAnnounced) }
        let report = ExportReport(
            summary: finished.summary, source: source, target: finished.output,
            isEncrypted: record.isEncrypted, continues: finished.continues, session: finished.session,
            acceptsDamage: record.acceptsDamage)
        WarningText.show(leftBehind: finished.summary.leftBehind)
        if options.json {
            try Console.print(json: report.json)
        } else {
            // Missing parts are errors, which are shown even when quiet.
            for line in options.quiet ? report.lacking : [report.text] { Console.log(line) }
        }
        return finished.summary.manifest.isIncomplete ? .incomplete : .done
    }

    /// Warns that the export is finished but its record could not be updated.
    private func warn(unsaved error: VaultError, isAnnounced: Bool) {
        Console.log(
            "warning: the export is finished, but its session could not be updated: "
                + ErrorMessage(error).message)
        // The next command that opens the record finds an announced output.
        guard !isAnnounced else { return }
        Console.log(
            "'healthvault session delete \(record.identifier)' deletes the session and keeps the export; "
                + "'healthvault session resume \(record.identifier)' would export again")
    }

    private func showNothingMended(_ stored: ExportRecord?, _ output: BytePath) throws -> ExitStatus {
        if options.json, let stored { try printRecord(stored) }
        Console.log("nothing new could be read, so nothing was written: \(output)")
        return .incomplete
    }

    private func printRecord(_ record: ExportRecord) throws {
        try Console.print(json: SessionText.json(ExportRecords.Listed(record: record, isInUse: false)))
    }
}
