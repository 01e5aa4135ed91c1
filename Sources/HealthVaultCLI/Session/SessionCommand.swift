import CommandLineKit
import CommandOutput
import HealthVault
import SystemIO

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

    static let grammar = CommandGrammar<Self>(
        name: "session",
        summary: "Lists, continues, mends and forgets exports.",
        discussion: """
            An export has a session while it is unfinished, and for good if --session gave it a name. 'list' shows all, \
            'show' one of them, 'resume' goes on with one that was interrupted, 'retry' does again what failed: a plain \
            folder is made anew and what is there is not written again; an archive stays as it is and gets a further one \
            beside it, which is read as one with it. 'delete' forgets a session and removes what is unfinished of \
            it; a finished export stays. What is kept are paths, times and totals: what is in an archive only the \
            archive says, to 'show' too, which asks for its passphrase.
            """,
        elements: [
            .argument(\.action, "ACTION", "list, show, resume, retry or delete", as: .choice),
            .optionalArgument(\.id, "ID", "the session's name, as 'list' shows it"),
            .including(\.run, ExportRunOptions.elements),
        ])

    func validate() throws(UsageError) {
        try run.validate()
        if action == .list, id != nil {
            throw UsageError(
                .invalidCombination, "'session list' shows all sessions",
                hint: "use 'session show' for one of them")
        }
        if action != .list, id == nil {
            throw UsageError(
                .missingArgument, "'session \(action.rawValue)' needs the session's name",
                hint: "see them with 'healthvault session list'")
        }
        guard action != .resume, action != .retry else { return }
        if run.passphrase.generate || run.passphrase.isGiven && action != .show {
            throw UsageError(
                .invalidCombination, "'session \(action.rawValue)' needs no such passphrase",
                hint: "what is in an archive is shown by 'session show'")
        }
        if run.hasRunOptions {
            throw UsageError(
                .invalidCombination, "'session \(action.rawValue)' runs no export",
                hint: "leave out --jobs, --iterations and --progress")
        }
        if run.quiet, action != .delete {
            throw UsageError(
                .invalidCombination, "'session \(action.rawValue)' has nothing to say but its answer")
        }
        if run.json, action == .delete {
            throw UsageError(.invalidCombination, "'session delete' reports nothing")
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
            Console.log("an archive is being written: what is in it can be seen once that has ended")
            return nil
        }
        guard run.passphrase.isGiven || Console.errorsAreTerminal else {
            Console.log("what is in the archive needs its passphrase, for example with --passphrase-file")
            return nil
        }
        let passphrase = try run.passphrase.given.read(prompt: "Passphrase: ")
        return try SessionContents(ofEncrypted: record, passphrase: passphrase)
    }

    private func resume(_ record: ExportRecord) async throws -> ExitStatus {
        try refusePassphraseUnlessEncrypted(record)
        return try await AttendedExport(record, .resume, options: run).run()
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
                .invalidCombination, "what a cut-off source has lost cannot be done again",
                hint: "export the whole source under another name")
        }
        try refusePassphraseUnlessEncrypted(record)
        return try await AttendedExport(record, .retry, options: run).run()
    }

    private func refusePassphraseUnlessEncrypted(_ record: ExportRecord) throws(UsageError) {
        guard !record.isEncrypted, run.passphrase.isGiven || run.givenIterations != nil else { return }
        throw UsageError(
            .invalidCombination, "session \(record.identifier) is not encrypted, and takes no passphrase",
            hint: "leave out what is said about passphrases and --iterations")
    }

    private func delete(
        _ records: ExportRecords, _ identifier: BulkExportSessionIdentifier
    ) throws -> ExitStatus {
        // A record that cannot be read can be deleted all the same.
        do throws(VaultError) { _ = try records.record(identifier) } catch {
            guard error.code == .session(.unreadableState) else { throw error }
        }
        let session = try records.open(identifier)
        if let record = session.stored, !record.isComplete {
            let isRemoved = try UnfinishedOutput.remove(
                ofTarget: record.output, isEncrypted: record.isEncrypted, identity: record.unfinishedIdentity)
            if !isRemoved, !run.quiet {
                Console.log("left alone, because this session did not make it: \(record.output).part")
            }
        }
        try session.remove()
        return .done
    }
}
