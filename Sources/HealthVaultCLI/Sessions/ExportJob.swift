import CommandLineKit
import HealthModel
import HealthVault
import SystemIO
import VaultCrypto

/// An export with its record: begun by `export`, continued by `session resume`, mended by `session retry`.
struct ExportJob {
    private var record: ExportRecord
    private let options: ExportRunOptions
    /// Source and target as they were named, for messages.
    var source: String
    var target: String
    /// What an earlier run left is thrown away.
    var restarts = false
    /// What failed in a finished export is to be done again.
    var retries = false

    init(_ record: ExportRecord, options: ExportRunOptions) {
        self.record = record
        self.options = options
        source = record.source
        target = record.target
    }

    /// The name of an export that was given none: made of its target, so that the same command finds it again.
    static func automaticName(for target: String) -> String {
        let digest = (try? SHA256.digest(of: Array(target.utf8).span)) ?? []
        let digits = digest.prefix(4).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return "export-" + digits.joined()
    }

    mutating func run() async throws -> ExitStatus {
        let session = try open()
        do {
            if let stored = session?.stored, try isDone(stored) { return .done }
            let exporter = exporter()
            let display = ProgressDisplay(options.progress, quiet: options.quiet)
            let summary = try await export(exporter, display, session)
            display.finish()
            return try finish(summary, session)
        } catch {
            try? note(error, session)
            guard let error = error as? VaultError, error.isResumable, session != nil else { throw error }
            throw ResumableFailure(error: error, session: record.identifier)
        }
    }

    /// The record; nil where nobody asked for one and it cannot be kept.
    private func open() throws -> OpenExportRecord? {
        guard source != "-" else { return nil }
        guard !record.isNamed else { return try options.stateFolder.records().open(record.identifier) }
        do { return try options.stateFolder.records().open(record.identifier) } catch {
            // Whoever has the record has the target too, and the message about that is the better one.
            return nil
        }
    }

    /// Takes over what was stored of a session.
    ///
    /// - Returns: true where there is nothing left to do.
    /// - Throws: `UsageError` where the name is that of another export.
    private mutating func isDone(_ stored: ExportRecord) throws -> Bool {
        let differences = stored.differences(from: record)
        if differences.isEmpty { record.created = stored.created }
        guard record.isNamed, !restarts else { return false }
        guard differences.isEmpty else {
            throw UsageError(
                .invalidCombination,
                "session \(record.identifier) is that of another export: different "
                    + differences.joined(separator: ", "),
                hint: "choose another name, or --restart to start over under this one")
        }
        let isComplete = stored.phase == .completed || stored.phase == .completedWithFailures
        guard isComplete, !retries, !record.isReplacing, (try? FileStatus(at: target)) != nil else {
            return false
        }
        if !options.quiet { Console.note("session \(record.identifier) is complete: " + target) }
        return true
    }

    private func exporter() -> Exporter {
        var exporter = Exporter(source: source, target: target)
        exporter.batching = record.batching
        exporter.jobs = options.jobs
        exporter.replacing = record.isReplacing || retries && record.isEncrypted
        exporter.acceptsTruncated = record.acceptsTruncated
        exporter.restarts = restarts
        exporter.retries = retries
        exporter.tool = "healthvault \(HealthVaultTool.version)"
        exporter.isInterrupted = { Process.interruption != nil }
        return exporter
    }

    private func export(
        _ exporter: Exporter, _ display: ProgressDisplay, _ session: OpenExportRecord?
    ) async throws -> Exporter.Summary {
        var exporter = exporter
        exporter.progress = display.handler
        guard record.isEncrypted else {
            try begin(session)
            return try await exporter.exportFolder()
        }
        try exporter.check()
        let passphrase = try options.passphrase.read(
            prompt: "Passphrase for the archive: ", iterations: options.iterations)
        try begin(session)
        return try await exporter.exportContainer(passphrase: passphrase, iterations: options.iterations)
    }

    private func begin(_ session: OpenExportRecord?) throws {
        var running = record
        running.phase = .running
        do { try session?.save(running) } catch {
            if record.isNamed { throw error }
        }
        // Standard input cannot be continued, and may keep a process waiting that was asked to stop.
        if source != "-" { Process.pauseOnInterruption(saying: "stopping. Once more to stop at once") }
    }

    private func finish(_ summary: Exporter.Summary, _ session: OpenExportRecord?) throws -> ExitStatus {
        let isIncomplete = summary.manifest.isIncomplete
        var finished = record
        finished.phase = isIncomplete ? .completedWithFailures : .completed
        finished.samples = summary.manifest.sampleCount
        finished.size = summary.targetSize
        // What was given no name and is whole is nobody's business any more.
        if record.isNamed || isIncomplete { try session?.save(finished) } else { try? session?.remove() }
        let report = ExportReport(
            summary: summary, target: target, isEncrypted: record.isEncrypted,
            session: session == nil ? nil : record.identifier)
        if options.json {
            try Console.print(report.json)
        } else if !options.quiet {
            Console.note(report.text)
        }
        return isIncomplete ? .incomplete : .done
    }

    /// Writes down that the export did not come to its end.
    private func note(_ error: any Error, _ session: OpenExportRecord?) throws {
        guard let session else { return }
        var ended = session.stored ?? record
        let isResumable = (error as? VaultError)?.isResumable == true
        if session.stored == nil || !record.isNamed && !isResumable && ended.phase == .running {
            try session.remove()
        } else if ended.phase == .running {
            ended.phase = isResumable ? .paused : .failed
            try session.save(ended)
        }
    }
}

/// An export that ended before its time and can be continued.
struct ResumableFailure: Error, Sendable {
    let error: VaultError
    let session: BulkExportSessionIdentifier
}
