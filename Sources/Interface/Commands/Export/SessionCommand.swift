import CommandLineKit
import HealthVault
import SystemIO
import Wording

/// The command `healthvault session`.
struct SessionCommand: VaultCommand {
    /// The actions on sessions.
    enum Action: String, CaseIterable, Sendable {
        case list
        case show
        case resume
        case retry
        case delete
    }

    var action = Action.list
    var id: String?
    var run = ExportRunOptions()
    var configuration = ConfigurationOption()

    static let grammar = CommandGrammar<Self>(
        name: "session",
        summary: "Lists, resumes, retries and deletes export sessions.",
        discussion: """
            Every export has a session while it is unfinished; one named with --session keeps it. 'list' shows all \
            sessions, 'show' one of them. 'resume' continues an interrupted export, also one to a destination. 'retry' exports again what failed: \
            an export folder is replaced, without rewriting unchanged files; an archive stays unchanged and is \
            continued by a new one beside it. 'delete' deletes a session and its unfinished output; finished exports stay.

            Sessions store paths, times and totals only. To show what an archive contains, 'show' asks for its \
            passphrase.
            """,
        examples: [
            HelpExample("healthvault session list", "List interrupted and named exports"),
            HelpExample("healthvault session resume export-1a2b3c4d", "Continue an interrupted export"),
        ],
        elements: [
            .argument(\.action, "ACTION", "list, show, resume, retry or delete", as: .choice),
            .optionalArgument(\.id, "ID", "the session's name, as shown by 'list'", as: .session),
            .including(\.run, ExportRunOptions.elements),
            .including(\.configuration, ConfigurationOption.elements),
        ])

    func validate() throws(UsageError) {
        try run.validate()
        if action == .list, id != nil {
            throw UsageError(
                .invalidCombination, "'session list' takes no name",
                hint: "use 'healthvault session show' for one session")
        }
        if action != .list, id == nil {
            throw UsageError(
                .missingArgument, "'session \(action.rawValue)' requires a session name",
                hint: "'healthvault session list' shows all sessions")
        }
        guard action != .resume, action != .retry else { return }
        if run.passphrase.generate || run.passphrase.isGiven && action != .show {
            throw UsageError(
                .invalidCombination, "'session \(action.rawValue)' takes no such passphrase",
                hint: "'healthvault session show' shows what an archive contains")
        }
        if run.hasRunOptions || configuration.path != nil {
            throw UsageError(
                .invalidCombination, "'session \(action.rawValue)' does not run an export",
                hint: "leave out --jobs, --iterations, --progress and --config-dir")
        }
        if run.quiet, action != .delete {
            throw UsageError(
                .invalidCombination, "'session \(action.rawValue)' cannot be combined with --quiet")
        }
        if run.json, action == .delete {
            throw UsageError(.invalidCombination, "'session delete' cannot be combined with --json")
        }
    }

    func run() async throws -> ExitStatus {
        let records = try run.stateFolder.records()
        let identifier = BulkExportSessionIdentifier(id ?? "")
        switch action {
        case .list:
            let sessions = try records.all()
            if run.json {
                try Console.print(json: SessionText.json(sessions))
            } else {
                try Console.print(SessionText.table(sessions))
            }
            return .done
        case .show: return try show(try records.record(identifier))
        case .resume: return try await resume(try records.record(identifier).record)
        case .retry: return try await retry(try records.record(identifier).record)
        case .delete: return try delete(records, identifier)
        }
    }

    private func show(_ session: ExportRecords.Listed) throws -> ExitStatus {
        try refusePassphraseUnlessEncrypted(session.record)
        let contents = try contents(session)
        if run.json {
            try Console.print(json: SessionText.json(session, contents))
        } else {
            try Console.print(SessionText.details(session, contents))
        }
        return .done
    }

    /// Returns the contents of the session's outputs; nil if there is no passphrase for them.
    private func contents(_ session: ExportRecords.Listed) throws -> SessionContents? {
        let record = session.record
        guard record.isEncrypted else { return SessionContents(ofPlain: record) }
        guard SessionContents.isSealed(record) else { return nil }
        guard !session.isInUse else {
            Console.log("the archive is being written; its contents can be shown when that has finished")
            return nil
        }
        guard run.passphrase.isGiven || Console.errorsAreTerminal else {
            Console.log(
                "to show the contents of the archive, give its passphrase, for example with --passphrase-file"
            )
            return nil
        }
        let options = run.passphrase.given
        return try options.retrying {
            try SessionContents(ofEncrypted: record, passphrase: try options.read(prompt: "Passphrase: "))
        }
    }

    private func resume(_ record: ExportRecord) async throws -> ExitStatus {
        try refusePassphraseUnlessEncrypted(record)
        guard let name = record.destination, !record.isComplete else {
            return try await AttendedExport(record, .resume, options: run).run()
        }
        return try await resume(record, to: try configuration.destinations.destination(name))
    }

    /// Continues an export to a destination, which is verified and enters the history.
    private func resume(_ record: ExportRecord, to destination: Destination) async throws -> ExitStatus {
        var options = DriveExportOptions(continuing: record)
        options.settings = run.settings()
        let export = try DriveExport(
            of: record.source, to: destination, options: options, state: try run.stateFolder.required(),
            attendant: AttendedDriveExport(record.source, isEncrypted: record.isEncrypted, run) {
                ConversionSource(export: record.source)
            })
        return AttendedDriveExport.status(try await export.run())
    }

    private func retry(_ record: ExportRecord) async throws -> ExitStatus {
        guard record.phase == .completedWithFailures else {
            guard record.phase == .completed else { return try await resume(record) }
            // Opening the record updates it, if the process that made the export could not.
            _ = try? run.stateFolder.records().open(record.identifier)
            if !run.quiet { Console.log("session \(record.identifier): nothing failed") }
            return .done
        }
        guard !record.acceptsDamage else {
            throw UsageError(
                .invalidCombination, "an export with --accept-damaged cannot be retried",
                hint: "export an undamaged source under another name")
        }
        try refusePassphraseUnlessEncrypted(record)
        return try await AttendedExport(record, .retry, options: run).run()
    }

    private func refusePassphraseUnlessEncrypted(_ record: ExportRecord) throws(UsageError) {
        guard !record.isEncrypted, run.passphrase.isGiven || run.givenIterations != nil else { return }
        throw UsageError(
            .invalidCombination, "session \(record.identifier) is not encrypted and takes no passphrase",
            hint: "leave out the passphrase options and --iterations")
    }

    private func delete(
        _ records: ExportRecords, _ identifier: BulkExportSessionIdentifier
    ) throws -> ExitStatus {
        // An unreadable record can still be deleted.
        do { _ = try records.record(identifier) } catch let error as RecordedExportError
            where error.code == .unreadableRecord
        {}
        let session = try records.open(identifier)
        if let record = session.stored, !record.isComplete {
            if !run.quiet, let path = SessionText.unfinished(record) {
                let kept: TerminalText = SessionText.keptSize(record).map { ", " + $0 } ?? ""
                Console.log(
                    "removing the unfinished \(path)\(kept)")
            }
            let isRemoved = try UnfinishedOutput.remove(
                ofTarget: record.output, isEncrypted: record.isEncrypted, identity: record.unfinishedIdentity)
            if !isRemoved, !run.quiet {
                Console.log(
                    "warning: not removed, because this session did not write it: \(record.output).part")
            }
        }
        let finished = session.stored.flatMap { $0.isComplete ? $0.newest : nil }
        try session.remove()
        if !run.quiet {
            Console.log("deleted session \(identifier)")
            if let finished { Console.log("the finished export stays: \(finished)") }
        }
        return .done
    }
}
