import ArchiveWriting
public import HealthArchive
import HealthModel
public import SystemIO
import VaultContainer
public import VaultCrypto

/// An export with a record, which can be interrupted and continued, and whose failures can be retried.
public struct RecordedExport: Sendable {
    /// The purpose of a passphrase.
    public enum PassphrasePurpose: Sendable {
        /// To encrypt a new archive.
        case newArchive
        /// To open an archive, and to encrypt a further one that continues it.
        case continuedArchive
    }

    /// The outcome of an export.
    public enum Outcome: Sendable {
        /// There was nothing to do: the export was complete, or complete except for what failed.
        case complete(ExportRecord)
        /// The export is complete, or complete except for what failed.
        case exported(Finished)
        /// Everything that had failed failed again, and nothing was written; the record is nil if there is none.
        case nothingMended(ExportRecord?, output: BytePath)
    }

    /// A finished export.
    public struct Finished: Sendable {
        /// The summary of the export.
        public let summary: Exporter.Summary
        /// The path of the output.
        public let output: BytePath
        /// The paths of the archives that the output continues, newest first.
        public let continues: [BytePath]
        /// The name of the session; nil if it has no record.
        public let session: BulkExportSessionIdentifier?
        /// The reason why the record could not be written; nil if there was no error.
        public let unsaved: VaultError?
        /// Whether the record identifies the output even if its final write failed: the output was announced earlier.
        public let isAnnounced: Bool
    }

    private let asked: ExportRecord
    private let request: ExportRequest
    private let records: ExportRecords?

    /// The source as the user spelled it, for the export and its messages.
    public var source: BytePath
    /// The target as the user spelled it, for the export and its messages.
    public var target: BytePath
    /// How the export runs.
    public var settings = RunSettings()
    /// Called after all prompts, before the samples are read.
    public var willRun: @Sendable () -> Void = {}
    /// Returns the passphrase; called at most once.
    public var passphrase: @Sendable (PassphrasePurpose) throws -> Passphrase

    /// The fingerprint of the source, once it has been read for a comparison.
    private var fingerprint: StoreFingerprint?

    /// Creates an export.
    ///
    /// - Parameters:
    ///   - record: What to export, and where.
    ///   - request: How to handle what an earlier run left behind.
    ///   - records: Where records are kept; nil to keep none, as for standard input.
    ///   - passphrase: Returns the passphrase of an encrypted export.
    public init(
        _ record: ExportRecord, _ request: ExportRequest, in records: ExportRecords?,
        passphrase: @escaping @Sendable (PassphrasePurpose) throws -> Passphrase
    ) {
        asked = record
        self.request = request
        self.records = records
        self.passphrase = passphrase
        source = record.source
        target = record.target
    }

    /// Runs the export.
    ///
    /// - Throws: ``RecordedExportError``, ``ResumableFailure``, `VaultError`, and the errors of ``passphrase``.
    public mutating func run() async throws -> Outcome {
        let open = try openRecord()
        let job = ExportJob(asked: asked, request: request, stored: open?.stored)
        var running = asked
        do {
            guard let plan = try plan(job) else {
                apply(job.changeIfComplete, to: open)
                return .complete(job.stored ?? asked)
            }
            running = plan.record
            if let discarded = plan.discarded {
                _ = try UnfinishedOutput.remove(
                    ofTarget: discarded, isEncrypted: true, identity: job.stored?.unfinishedIdentity)
            }
            guard let summary = try await export(plan, open) else { return try nothingMended(plan, open) }
            return .exported(finish(summary, job, plan, open))
        } catch {
            let resumable = (error as? VaultError).flatMap { $0.isResumable ? $0 : nil }
            let change = job.change(
                failedResumably: resumable != nil, current: open?.stored, running: running)
            apply(change, to: open)
            guard let resumable, open != nil else { throw error }
            throw ResumableFailure(error: resumable, session: asked.identifier)
        }
    }

    /// Opens the record; returns nil if none is kept, or if an unnamed export's record cannot be opened.
    private func openRecord() throws -> OpenExportRecord? {
        guard let records else { return nil }
        guard !asked.isNamed else { return try records.open(asked.identifier) }
        // A process that has the record open has the target open too, and the error about the target is more helpful.
        return try? records.open(asked.identifier)
    }

    /// Decides what the export does; returns nil if it is complete.
    private mutating func plan(_ job: ExportJob) throws -> ExportPlan? {
        var findings = job.stored.map { ExportFindings(of: $0) }
        while true {
            switch job.step(findings) {
            case .compareSource:
                var exporter = Exporter(source: source, target: target)
                exporter.acceptsDamage = asked.acceptsDamage
                let found = try exporter.sourceFingerprint()
                fingerprint = found
                findings?.isSameSource = try job.stored?.fingerprint.compare(found) != .different
            case .complete:
                DebugLog.log("export is complete already")
                return nil
            case .refuseOptions(let options):
                throw RecordedExportError(.otherOptions(options), path: target)
            case .refuseSource: throw VaultError(.sourceChanged, path: source)
            case .refuseMissing(let path):
                throw RecordedExportError(.outputMissing, path: path)
            case .refuseCut(let path): throw RecordedExportError(.outputCut, path: path)
            case .refuseOther(let path): throw RecordedExportError(.otherOutput, path: path)
            case .export(let plan):
                DebugLog.log(
                    "export \(plan.restarts ? "starts over" : "begins or continues"), \(plan.replaces ? "replaces" : "keeps") a finished target"
                )
                return plan
            }
        }
    }

    private func export(
        _ plan: ExportPlan, _ open: OpenExportRecord?
    ) async throws -> Exporter.Summary? {
        var exporter = exporter(plan)
        guard asked.isEncrypted else {
            try begin(&exporter, plan, open)
            return try await exporter.exportFolder()
        }
        try exporter.check()
        guard plan.record.pending == nil else {
            let secret = try passphrase(.continuedArchive)
            try begin(&exporter, plan, open)
            return try await exporter.exportFurther(
                continuing: plan.record.newest, passphrase: secret)
        }
        let secret = try passphrase(.newArchive)
        try begin(&exporter, plan, open)
        return try await exporter.exportContainer(passphrase: secret)
    }

    private func exporter(_ plan: ExportPlan) -> Exporter {
        var exporter = Exporter(source: source, target: plan.record.pending ?? target)
        exporter.batching = plan.record.batching
        exporter.replacing = plan.replaces
        exporter.acceptsDamage = asked.acceptsDamage
        exporter.restarts = plan.restarts
        exporter.settings = settings
        return exporter
    }

    /// Writes the record of a starting run.
    ///
    /// The record is updated when the output gets its identity, and just before it gets its name.
    private func begin(_ exporter: inout Exporter, _ plan: ExportPlan, _ open: OpenExportRecord?) throws {
        var running = plan.record
        running.phase = .running
        running.isReplacing = plan.replaces
        running.batching = try exporter.resolvedBatching()
        exporter.batching = running.batching
        if let open {
            running.fingerprint = try KeyedFingerprint(fingerprint ?? exporter.sourceFingerprint())
            do { try open.save(running) } catch {
                if asked.isNamed { throw error }
            }
            let (begun, isReplacing) = (running, asked.isReplacing)
            exporter.began = { identity in
                var begun = begun
                begun.unfinishedIdentity = identity
                try? open.save(begun)
            }
            exporter.settings.finishing = { [finishing = settings.finishing] identity, manifest in
                try finishing(identity, manifest)
                var promising = open.stored ?? begun
                promising.promise = ExportRecord.Promise(identity, manifest, isReplacing: isReplacing)
                try? open.save(promising)
            }
        }
        willRun()
    }

    private func finish(
        _ summary: Exporter.Summary, _ job: ExportJob, _ plan: ExportPlan, _ open: OpenExportRecord?
    ) -> Finished {
        var finished = open?.stored ?? plan.record
        let output = finished.pending ?? target
        let identity = OutputIdentity.of(output, isEncrypted: asked.isEncrypted) ?? finished.promise?.identity
        finished.finish(
            ExportRecord.Promise(identity ?? "", summary.manifest, isReplacing: asked.isReplacing))
        let unsaved = apply(job.change(finished: finished), to: open)
        let isFurther = plan.record.pending != nil
        return Finished(
            summary: summary, output: output,
            continues: isFurther ? plan.record.further.reversed() + [plan.record.target] : [],
            session: open == nil ? nil : asked.identifier, unsaved: unsaved,
            isAnnounced: open?.stored?.promise?.identity == finished.identity)
    }

    private func nothingMended(_ plan: ExportPlan, _ open: OpenExportRecord?) throws -> Outcome {
        let current = open?.stored
        let left = current.flatMap { UnfinishedOutput.identity(ofTarget: $0.output, isEncrypted: true) }
        if let failure = apply(ExportJob.change(nothingMended: current, unfinished: left), to: open) {
            throw failure
        }
        return .nothingMended(open?.stored, output: (open?.stored ?? plan.record).newest)
    }

    /// Changes the record.
    ///
    /// - Returns: The reason why the record could not be written; nil if it was written, removed or kept.
    @discardableResult private func apply(_ change: ExportJob.Change, to open: OpenExportRecord?)
        -> VaultError?
    {
        guard let open else { return nil }
        do throws(VaultError) {
            switch change {
            case .save(let record): try open.save(record)
            case .remove: try? open.remove()
            case .keep: break
            }
            return nil
        } catch { return error }
    }
}
