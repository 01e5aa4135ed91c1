import CommandLineKit
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
            'inspect', 'types', 'ecg list', 'trend', 'correlate' and 'report'. 'help' lists them, 'help stats' explains \
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
        guard source.path != "-", !source.passphrase.usesStandardInput else {
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
