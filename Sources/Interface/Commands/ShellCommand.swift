import CommandLineKit
import Synchronization
import SystemIO
import Wording

/// The command `healthvault shell`.
struct ShellCommand: VaultCommand {
    var source = SourceOptions()

    static let grammar = CommandGrammar<Self>(
        name: "shell",
        summary: "Answers several questions about a source after one passphrase.",
        discussion: """
            Reads commands without their SOURCE: 'stats steps --by month', 'query heartRate --last 7d', 'sleep', 'chart', \
            'inspect', 'types', 'ecg list', 'correlate' and 'report'. 'help' lists them, 'help stats' explains \
            one, the Tab key completes words, and 'exit' ends the shell. An error does not end it.

            On a terminal, lines can be edited and called back; what was typed is kept in memory alone. After ten \
            minutes without a key, the keys and the passphrase are wiped, and the passphrase is asked for again.

            From a pipe or a file, commands are read in the same way, without a prompt; the exit status is that of the \
            first one that failed. Lines that begin with # are skipped.
            """,
        examples: [
            HelpExample("healthvault shell health.hvault", "Ask for the passphrase once, then for commands"),
            HelpExample(
                "healthvault shell health.hvault --passphrase-file secret < questions.txt",
                "Run the commands in a file"),
        ],
        elements: [
            .including(\.source, SourceOptions.argument),
            .including(\.source, SourceOptions.options),
        ])

    func validate() throws(UsageError) {
        try source.validate()
        guard source.path != "-", !source.key.passphrase.usesStandardInput else {
            throw UsageError(
                .invalidCombination, "the shell reads its commands from standard input",
                hint:
                    "give a file as SOURCE, and the passphrase with --passphrase-file or --passphrase-command"
            )
        }
    }

    func run() async throws -> ExitStatus {
        let opened = OpenedSource(source)
        try opened.unlock()
        return try await ShellPrompt(opened).run()
    }
}

/// The commands of the shell: those that answer questions, without their source.
enum ShellCommands {
    /// Returns the commands for a source.
    static func set(for source: BytePath) -> CommandSet<any VaultCommand> {
        CommandSet(
            name: "", summary: "Answers questions about the source that the shell was started with.",
            version: ToolVersion.text,
            groups: [
                CommandGroup(
                    "queries",
                    [.command(InspectCommand.self, of: source)] + AnswerCommands.queries(of: source)),
                CommandGroup("other", [.command(TypesCommand.self), .command(ExitCommand.self)]),
            ])
    }
}

/// The command `exit` of the shell.
struct ExitCommand: VaultCommand {
    static let grammar = CommandGrammar<Self>(name: "exit", summary: "Ends the shell.", elements: [])

    func run() async throws -> ExitStatus { .done }
}

/// The lines of a shell: runs the command that each one names, and locks the source when nobody types.
struct ShellPrompt {
    private let source: OpenedSource
    private let commands: CommandSet<any VaultCommand>
    private let isAttended = Terminal.isInput

    init(_ source: OpenedSource) {
        self.source = source
        commands = ShellCommands.set(for: source.path)
    }

    /// Reads and runs lines until the input ends.
    ///
    /// - Returns: On a terminal `done`, from anything else the status of the first command that failed.
    /// - Throws: What prevents that a locked source is opened again.
    func run() async throws -> ExitStatus {
        let commands = commands
        var input = LineInput { line in
            let completion = commands.completion(ofLine: line)
            return LineInput.Completion(
                insertion: completion.insertion, choices: completion.choices.map { "\($0)" })
        }
        if isAttended {
            Console.log("'help' lists the commands, 'exit' ends; locked after ten minutes without a key")
        }
        var first = ExitStatus.done
        while true {
            var status = ExitStatus.done
            switch input.next(prompt: "healthvault> ", patience: IdleLimit.seconds) {
            case .ended: return first
            case .interrupted: continue
            case .idle:
                source.lock()
                guard isAttended else { continue }
                Console.log("\(source.path): locked, because nothing was typed")
                try source.unlock()
            case .tooLong: status = fail("the line is longer than \(LineInput.longest) bytes")
            case .line(let bytes):
                // A file may have been written on Windows.
                let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...]
                guard let text = String(validating: line, as: UTF8.self) else {
                    status = fail("the line is not UTF-8")
                    break
                }
                guard let words = LineWords(text).words else {
                    status = fail("a quotation mark is not closed")
                    break
                }
                guard let ran = try await run(words) else { return first }
                status = ran
            }
            if !isAttended, first == .done { first = status }
        }
    }

    /// Runs the command of a line; returns nil if it ends the shell.
    private func run(_ words: [String]) async throws -> ExitStatus? {
        // People paste whole commands.
        let words = words.first == "healthvault" ? Array(words.dropFirst()) : words
        guard let first = words.first, !first.hasPrefix("#") else { return .done }
        // A passphrase that is asked for in vain ends the shell, and not only a command.
        try source.unlock()
        var ends = false
        let status = await ToolRun.status(of: "healthvault", words) { (command: any VaultCommand) in
            ends = command is ExitCommand
            return try await source.lend { try await command.run() }
        } parse: {
            try commands.parse($0)
        }
        return ends ? nil : status
    }

    private func fail(_ message: String) -> ExitStatus {
        let error = ErrorMessage(UsageError(.invalidValue, message))
        error.show()
        return error.status
    }
}

/// How long a shell stays open while nobody types.
package enum IdleLimit {
    static var seconds: Int { limit.load(ordering: .relaxed) }
    private static let limit = Atomic(600)

    /// Makes the shells of this process lock sooner, for good.
    ///
    /// Only the main of the tests calls this. No option and no variable leads here.
    package static func shorten(to seconds: Int) { limit.store(seconds, ordering: .relaxed) }
}
