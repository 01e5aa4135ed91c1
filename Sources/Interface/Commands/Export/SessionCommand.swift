import CommandLineKit
import HealthVault
import SystemIO
import Wording

/// The command `healthvault session`.
struct SessionCommand: VaultCommand {
    /// The actions on sessions.
    enum Action: String, CaseIterable, Sendable {
        case list
        case resume
        case delete
    }

    var action = Action.list
    var id: String?
    var run = ExportRunOptions()
    var configuration = ConfigurationOption()
    /// What opens the archive of a session that is shown.
    var key = KeyOptions()

    static let grammar = CommandGrammar<Self>(
        name: "session",
        summary: "Manages unfinished and named exports.",
        discussion: """
            Every export has a session while it is unfinished; one named with --session keeps it. 'resume' does what is \
            left of one: it continues an interrupted export, also one to a destination, or exports again what failed. \
            An export folder is then replaced, without rewriting unchanged files; an archive stays unchanged and is \
            continued by a new one beside it.

            Sessions store paths, times and totals only. To show what an archive contains, 'list ID' asks for its \
            passphrase.
            """,
        examples: [
            HelpExample("healthvault session list", "List interrupted and named exports"),
            HelpExample("healthvault session resume export-1a2b3c4d", "Continue an interrupted export"),
        ],
        elements: [
            .action(
                \.action,
                [
                    (.list, "Shows all sessions, or one and what its archive contains."),
                    (.resume, "Continues an interrupted export, or exports again what failed."),
                    (.delete, "Deletes a session and its unfinished output; finished exports stay."),
                ]),
            .only(
                for: [Action.list],
                [
                    .optionalArgument(\.id, "ID", idHelp, as: .session),
                    .including(\.key, KeyOptions.elements),
                ]),
            .only(
                for: [Action.resume],
                [
                    .argument(\.id, "ID", idHelp, as: .session),
                    .including(\.run, ExportRunOptions.running),
                    .including(\.configuration, ConfigurationOption.elements),
                ]),
            .only(for: [Action.delete], [.argument(\.id, "ID", idHelp, as: .session)]),
            .only(for: [Action.resume, .delete], [.quiet(\.run.quiet)]),
            .only(for: [Action.list, .resume], [.json(\.run.json)]),
            .including(\.run.stateFolder, StateFolderOption.elements),
        ])

    private static let idHelp = "the session's name, as shown by 'list'"

    func validate() throws(UsageError) {
        try run.validate()
        try key.validate()
        if action == .list, id == nil, key.isGiven {
            throw UsageError(
                .invalidCombination, "a passphrase or key ring works only with the name of a session",
                hint: "'healthvault session list ID' shows what its archive contains")
        }
    }

    func run() async throws -> ExitStatus {
        let records = try run.stateFolder.records()
        guard let id else {
            let sessions = try records.all()
            if run.json {
                try Console.print(json: SessionText.json(sessions))
            } else {
                try Console.print(SessionText.table(sessions))
            }
            return .done
        }
        let identifier = BulkExportSessionIdentifier(id)
        switch action {
        case .list: return try show(try records.record(identifier))
        case .resume: return try await resume(try records.record(identifier).record)
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
        guard key.isGiven || Console.errorsAreTerminal else {
            Console.log(
                "to show the contents of the archive, give its passphrase, for example with --passphrase-file"
            )
            return nil
        }
        return try key.unlocking { try SessionContents(ofEncrypted: record, key: $0) }
    }

    private func resume(_ record: ExportRecord) async throws -> ExitStatus {
        try refusePassphraseUnlessEncrypted(record)
        guard let name = record.destination, !record.isComplete else {
            // Of a damaged source, nothing more can be had.
            let isRetried = record.phase == .completedWithFailures && !record.acceptsDamage
            return try await AttendedExport(record, isRetried ? .retry : .resume, options: run).run()
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

    private func refusePassphraseUnlessEncrypted(_ record: ExportRecord) throws(UsageError) {
        guard !record.isEncrypted, key.isGiven || run.passphrase.isGiven || run.givenIterations != nil
        else { return }
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
