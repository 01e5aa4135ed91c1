import CommandLineKit
import Wording

/// The command `healthvault encrypt`: an encrypted export.
struct EncryptCommand: VaultCommand {
    private var export: ExportCommand

    init() {
        export = ExportCommand()
        export.encrypt = true
    }

    static let grammar = CommandGrammar<Self>(
        name: "encrypt",
        summary: "Encrypts an export of the Health app into an archive.",
        discussion: """
            SOURCE is the Health app's export.zip, its unpacked folder or its export.xml; - reads XML from standard \
            input. If it is interrupted, the same command resumes it. 'healthvault export' writes open formats.
            """,
        examples: [
            HelpExample(
                "healthvault encrypt export.zip",
                "Encrypt an export into health.hvault; asks for a passphrase"),
            HelpExample(
                "healthvault encrypt export.zip --to stick --incremental",
                "Add what is new to the archives on a drive"),
        ],
        elements: [
            .including(
                \.export,
                [
                    .argument(\.source, "SOURCE", ExportCommand.sourceHelp, as: .file),
                    .option(
                        \.output, "output", short: "o", value: "PATH", default: DefaultText.archive,
                        "the archive to write", as: .file),
                ]),
            .including(\.export, ExportCommand.commonElements),
        ])

    func validate() throws(UsageError) { try export.validate() }

    func run() async throws -> ExitStatus { try await export.run() }
}
