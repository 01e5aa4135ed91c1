import CommandLineKit
import CommandOutput
import HealthVault
import SystemIO
import VaultCrypto

/// Runs an export: asks for its passphrase, shows its progress and reports how it ended.
struct AttendedExport {
    private let record: ExportRecord
    private let request: ExportRequest
    private let options: ExportRunOptions
    /// Source and target as the user spelled them, for messages.
    var source: BytePath
    var target: BytePath
    /// The passphrase, if it was asked for already.
    var secret: HeldPassphrase?

    init(_ record: ExportRecord, _ request: ExportRequest, options: ExportRunOptions) {
        self.record = record
        self.request = request
        self.options = options
        source = record.source
        target = record.target
    }

    func run() async throws -> ExitStatus { try await perform().status }

    /// Runs the export, and returns what it has made; nil if there was nothing to do.
    func perform() async throws -> (status: ExitStatus, finished: RecordedExport.Finished?) {
        let display = ProgressDisplay(options.progress, quiet: options.quiet)
        var export = try recordedExport(display)
        let outcome: RecordedExport.Outcome
        do { outcome = try await export.run() } catch let error as RecordedExport.OtherExport {
            throw UsageError(
                .invalidCombination,
                "session \(record.identifier) is that of another export: different "
                    + error.options.joined(separator: ", "),
                hint: "choose another name, or --restart to start over under this one")
        } catch let error as VaultError where error.isResumable && export.isRecorded {
            throw ResumableFailure(error: error, session: record.identifier)
        }
        display.finish()
        return switch outcome {
        case .complete(let stored): (try reportComplete(stored), nil)
        case .exported(let finished): (try report(finished, isRecorded: export.isRecorded), finished)
        case .nothingMended(let record, let output): (try reportNothingMended(record, output), nil)
        }
    }

    private func recordedExport(_ display: ProgressDisplay) throws -> RecordedExport {
        var export = RecordedExport(record, request, in: try records) { purpose in try passphrase(purpose) }
        export.source = source
        export.target = target
        export.jobs = options.jobs
        export.iterations = options.iterations
        export.volumes = options.volumes
        export.tool = ToolVersion.text
        export.isInterrupted = Interruption.isRequested
        export.progress = display.handler
        // An export from standard input may keep waiting for a process that was asked to stop as well.
        if source != "-" {
            export.willRun = {
                CurrentProcess.catchInterruption(saying: "stopping. Once more to stop at once")
            }
        }
        return export
    }

    /// Where the record is kept; nil where nobody asked for one and there is no place, and for standard input, which can
    /// be read only once.
    private var records: ExportRecords? {
        get throws {
            guard source != "-" else { return nil }
            return record.isNamed ? try options.stateFolder.records() : try? options.stateFolder.records()
        }
    }

    private func passphrase(_ purpose: RecordedExport.PassphrasePurpose) throws -> Passphrase {
        if let secret { return try secret.copy() }
        switch purpose {
        case .newArchive:
            return try options.passphrase.read(
                prompt: "Passphrase for the archive: ", iterations: options.iterations)
        case .continuedArchive:
            guard !options.passphrase.generate else {
                throw UsageError(
                    .invalidCombination, "a further archive has the passphrase of the one that it continues",
                    hint: "leave out --generate-passphrase")
            }
            return try options.passphrase.given.read(prompt: "Passphrase of the archive: ")
        }
    }

    private func reportComplete(_ stored: ExportRecord) throws -> ExitStatus {
        if options.json { try printRecord(stored) }
        let isWhole = stored.phase == .completed
        if !options.quiet {
            let failed: TerminalText = isWhole ? "" : " but for what failed"
            Console.log("session \(record.identifier) is complete\(failed): \(target)")
            if !isWhole {
                Console.log("try that again with: healthvault session retry \(record.identifier)")
            }
        }
        return isWhole ? .done : .incomplete
    }

    private func report(_ finished: RecordedExport.Finished, isRecorded: Bool) throws -> ExitStatus {
        if let error = finished.unsaved { warn(unsaved: error, isAnnounced: finished.isAnnounced) }
        let report = ExportReport(
            summary: finished.summary, source: source, target: finished.output,
            isEncrypted: record.isEncrypted,
            continues: finished.continues, session: isRecorded ? record.identifier : nil)
        WarningText.show(leftBehind: finished.summary.leftBehind)
        if options.json {
            try Console.print(json: report.json)
        } else {
            // That something is missing is an error.
            for line in options.quiet ? report.lacking : [report.text] { Console.log(line) }
        }
        return finished.summary.manifest.isIncomplete ? .incomplete : .done
    }

    /// The export is there although its record could not be written.
    private func warn(unsaved error: VaultError, isAnnounced: Bool) {
        Console.log(
            "warning: the export has come to its end, but its session could not take note of that: "
                + ErrorMessage(error).message)
        // The next command that opens the record finds an announced output.
        guard !isAnnounced else { return }
        Console.log(
            "'healthvault session retry \(record.identifier)' would do it again; "
                + "'healthvault session delete \(record.identifier)' forgets it and keeps what was exported")
    }

    private func reportNothingMended(_ stored: ExportRecord?, _ output: BytePath) throws -> ExitStatus {
        if options.json, let stored { try printRecord(stored) }
        Console.log("nothing that failed can be had now; nothing was written: \(output)")
        return .incomplete
    }

    private func printRecord(_ record: ExportRecord) throws {
        try Console.print(json: SessionText.json(ExportRecords.Listed(record: record, isInUse: false)))
    }
}
