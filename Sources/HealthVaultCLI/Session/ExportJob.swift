import CommandLineKit
import HealthModel
import HealthVault
import SystemIO

/// An export with its record: begun by `export`, continued by `session resume`, mended by `session retry`.
struct ExportJob {
    private var record: ExportRecord
    private let options: ExportRunOptions
    /// What tells the source from others, once that was found out.
    private var fingerprint: StoreFingerprint?
    /// Source and target as they were named, for messages.
    var source: BytePath
    var target: BytePath
    /// What an earlier run left is thrown away.
    var restarts = false
    /// A finished export is made again, because something in it failed.
    var retries = false
    /// It goes on by its name alone: nothing is replaced but what it has made itself.
    var resumes = false

    init(_ record: ExportRecord, options: ExportRunOptions) {
        self.record = record
        self.options = options
        source = record.source
        target = record.target
    }

    mutating func run() async throws -> ExitStatus {
        let session = try open()
        let stored = session?.stored
        let report: ExportReport
        do {
            if let stored, let status = try settle(stored) {
                if !record.isNamed, stored.phase == .completed { try? session?.remove() }
                return status
            }
            let display = ProgressDisplay(options.progress, quiet: options.quiet)
            let summary = try await export(display, session)
            display.finish()
            guard let summary else { return try sayNothingMended(session) }
            report = finish(summary, session)
        } catch {
            try? note(error, session, before: stored)
            guard let error = error as? VaultError, error.isResumable, session != nil else { throw error }
            throw ResumableFailure(error: error, session: record.identifier)
        }
        // It is done, whether or not anybody can be told.
        return try tell(report)
    }

    /// The record; nil where nobody asked for one and it cannot be kept.
    private func open() throws -> OpenExportRecord? {
        guard source != "-" else { return nil }
        guard !record.isNamed else { return try options.stateFolder.records().open(record.identifier) }
        // Whoever has the record has the target too, and the message about that is the better one.
        return try? options.stateFolder.records().open(record.identifier)
    }

    /// Takes over what was stored of a session.
    ///
    /// - Returns: A status where there is nothing left to do.
    /// - Throws: `UsageError` where the name is that of another export; `VaultError` where source or target are not what
    ///   they were.
    private mutating func settle(_ stored: ExportRecord) throws -> ExitStatus? {
        let differences = stored.differences(from: record)
        guard differences.isEmpty else {
            guard record.isNamed, !restarts else { return nil }
            throw UsageError(
                .invalidCombination,
                "session \(record.identifier) is that of another export: different "
                    + differences.joined(separator: ", "),
                hint: "choose another name, or --restart to start over under this one")
        }
        record.created = stored.created
        if let pending = stored.pending {
            // What goes on with a retry is one, by whichever command; what starts over leaves nothing of it.
            retries = !restarts && (retries || resumes || !record.isReplacing)
            if !retries {
                _ = try UnfinishedOutput.remove(
                    ofTarget: pending, isEncrypted: true, identity: stored.unfinishedIdentity)
            }
        }
        guard !restarts else { return nil }
        let current = OutputIdentity.of(stored.newest, isEncrypted: record.isEncrypted)
        let isThere = current != nil && current == stored.identity
        if stored.isComplete, isThere, !retries, resumes || !record.isReplacing {
            // Without a name it is the same export only as long as the source is the same.
            let isSame = try record.isNamed || stored.phase != .completed || isSameSource(stored)
            return isSame ? try sayComplete(stored) : nil
        }
        // What is replaced or continued without having been asked for must be what this session has made.
        if retries || resumes && record.isReplacing, stored.identity != nil, !isThere {
            let isMissing = (try? FileStatus(at: stored.newest, followingLinks: false)) == nil
            throw VaultError(isMissing ? .outputMissing : .otherTarget, path: stored.newest)
        }
        record.identity = stored.identity
        if retries { take(stored) }
        try requireSameSource(stored)
        // What goes on has the batches that it was begun with.
        if try isSameSource(stored) { record.batching = stored.batching }
        return nil
    }

    /// Goes on from what there is.
    private mutating func take(_ stored: ExportRecord) {
        record.further = stored.further
        record.samples = stored.samples
        record.size = stored.size
        guard record.isEncrypted else { return }
        record.pending =
            stored.pendingIsFree
            ? stored.pending : FurtherName.free(for: record.target, from: record.further.count + 2)
    }

    private mutating func requireSameSource(_ stored: ExportRecord) throws {
        guard record.isNamed || retries else { return }
        guard try isSameSource(stored) else { throw VaultError(.session(.sourceChanged), path: source) }
    }

    private mutating func isSameSource(_ stored: ExportRecord) throws -> Bool {
        try stored.fingerprint.compare(sourceFingerprint()) != .different
    }

    private mutating func sourceFingerprint() throws -> StoreFingerprint {
        if let fingerprint { return fingerprint }
        let found = try exporter().sourceFingerprint()
        fingerprint = found
        return found
    }

    private func sayComplete(_ stored: ExportRecord) throws -> ExitStatus {
        if options.json {
            try Console.print(json: SessionText.json(ExportRecords.Listed(record: stored, isInUse: false)))
        }
        let isWhole = stored.phase == .completed
        if !options.quiet {
            let failed: TerminalText = isWhole ? "" : " but for what failed"
            Console.note("session \(record.identifier) is complete\(failed): \(target)")
            if !isWhole {
                Console.note("try that again with: healthvault session retry \(record.identifier)")
            }
        }
        return isWhole ? .done : .incomplete
    }

    private func exporter() -> Exporter {
        var exporter = Exporter(source: source, target: record.pending ?? target)
        exporter.batching = record.batching
        exporter.jobs = options.jobs
        exporter.replacing = record.pending == nil && (record.isReplacing || retries)
        exporter.acceptsTruncated = record.acceptsTruncated
        exporter.restarts = restarts
        exporter.tool = ToolVersion.text
        exporter.isInterrupted = Interruption.isAsked
        return exporter
    }

    private mutating func export(
        _ display: ProgressDisplay, _ session: OpenExportRecord?
    ) async throws -> Exporter.Summary? {
        var exporter = exporter()
        exporter.progress = display.handler
        guard record.isEncrypted else {
            try begin(&exporter, session)
            return try await exporter.exportFolder()
        }
        try exporter.check()
        guard record.pending == nil else {
            guard !options.passphrase.generate else {
                throw UsageError(
                    .invalidCombination, "a further archive has the passphrase of the one that it continues",
                    hint: "leave out --generate-passphrase")
            }
            let passphrase = try options.passphrase.given.read(prompt: "Passphrase of the archive: ")
            try begin(&exporter, session)
            return try await exporter.exportFurther(
                continuing: record.newest, passphrase: passphrase, iterations: options.iterations)
        }
        let passphrase = try options.passphrase.read(
            prompt: "Passphrase for the archive: ", iterations: options.iterations)
        try begin(&exporter, session)
        return try await exporter.exportContainer(passphrase: passphrase, iterations: options.iterations)
    }

    private mutating func begin(_ exporter: inout Exporter, _ session: OpenExportRecord?) throws {
        var running = record
        running.phase = .running
        running.isReplacing = exporter.replacing
        running.batching = try exporter.settledBatching()
        exporter.batching = running.batching
        if let session {
            running.fingerprint = try KeyedFingerprint(sourceFingerprint())
            do { try session.save(running) } catch {
                if record.isNamed { throw error }
            }
            let (begun, isReplacing) = (running, record.isReplacing)
            exporter.began = { identity in
                var begun = begun
                begun.unfinishedIdentity = identity
                try? session.save(begun)
            }
            exporter.finishing = { identity, manifest in
                var promising = session.stored ?? begun
                promising.promise = Self.promise(identity, manifest, isReplacing: isReplacing)
                try? session.save(promising)
            }
        }
        // Standard input cannot be continued, and may keep a process waiting that was asked to stop.
        if source != "-" { Process.pauseOnInterruption(saying: "stopping. Once more to stop at once") }
    }

    /// Writes down that the export is complete.
    private func finish(_ summary: Exporter.Summary, _ session: OpenExportRecord?) -> ExportReport {
        let isIncomplete = summary.manifest.isIncomplete
        var finished = session?.stored ?? record
        let output = finished.pending ?? target
        let identity = OutputIdentity.of(output, isEncrypted: record.isEncrypted)
        finished.finish(
            Self.promise(
                identity ?? finished.promise?.identity ?? "", summary.manifest,
                isReplacing: record.isReplacing))
        // What was given no name and is whole is nobody's business any more.
        if record.isNamed || isIncomplete { save(finished, session) } else { try? session?.remove() }
        let isFurther = record.pending != nil
        return ExportReport(
            summary: summary, target: output, isEncrypted: record.isEncrypted,
            continues: isFurther ? record.further.reversed() + [record.target] : [],
            session: session == nil ? nil : record.identifier)
    }

    /// A record that cannot be written takes nothing from what was exported, which is there.
    private func save(_ finished: ExportRecord, _ session: OpenExportRecord?) {
        do { try session?.save(finished) } catch {
            Console.note(
                "warning: the export has come to its end, but its session could not take note of that: "
                    + ErrorMessage(error).message)
            // Whoever opens a record with a promise sees that it was kept.
            guard session?.stored?.promise?.identity != finished.identity else { return }
            Console.note(
                "'healthvault session retry \(record.identifier)' would do it again; "
                    + "'healthvault session delete \(record.identifier)' forgets it and keeps what was exported"
            )
        }
    }

    private func tell(_ report: ExportReport) throws -> ExitStatus {
        WarningText.show(leftBehind: report.summary.leftBehind)
        if options.json {
            try Console.print(json: report.json)
        } else {
            // That something is missing is an error.
            for line in options.quiet ? report.lacking : [report.text] { Console.note(line) }
        }
        return report.summary.manifest.isIncomplete ? .incomplete : .done
    }

    private static func promise(
        _ identity: String, _ manifest: Manifest, isReplacing: Bool
    ) -> ExportRecord.Promise {
        ExportRecord.Promise(
            identity: identity, phase: manifest.isIncomplete ? .completedWithFailures : .completed,
            samples: manifest.sampleCount, isReplacing: isReplacing)
    }

    /// The same failed again: everything stays as it is.
    private func sayNothingMended(_ session: OpenExportRecord?) throws -> ExitStatus {
        if var record = session?.stored {
            // An interrupted run may have left something that could be had then.
            let left = UnfinishedOutput.identity(ofTarget: record.output, isEncrypted: true)
            record.phase = left == nil ? .completedWithFailures : .paused
            if left == nil { record.pending = nil }
            record.unfinishedIdentity = left
            try session?.save(record)
            if options.json {
                try Console.print(
                    json: SessionText.json(ExportRecords.Listed(record: record, isInUse: false)))
            }
        }
        Console.note("nothing that failed can be had now; nothing was written: \(record.newest)")
        return .incomplete
    }

    /// Writes down that the export did not come to its end.
    private func note(_ error: any Error, _ session: OpenExportRecord?, before: ExportRecord?) throws {
        guard let session else { return }
        if (error as? VaultError)?.isResumable == true {
            var paused = session.stored ?? record
            paused.phase = .paused
            try session.save(paused)
        } else if let before {
            // Nothing is left of this run, so all is as it was.
            var restored = before
            if before.phase == .running { restored.phase = .paused }
            if session.stored != restored { try session.save(restored) }
        } else if record.isNamed, var failed = session.stored {
            failed.phase = .failed
            try session.save(failed)
        } else {
            try session.remove()
        }
    }
}
