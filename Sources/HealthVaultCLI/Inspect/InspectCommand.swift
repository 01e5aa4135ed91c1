import CommandLineKit
import CommandOutput
import HealthVault
import SampleBatches
import SystemIO
import VaultContainer

/// The command `healthvault inspect`.
struct InspectCommand: VaultCommand {
    var source: BytePath = ""
    var header = false
    var profile = false
    var json = false
    var progress = ProgressStyle.auto
    var quiet = false
    var passphrase = PassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "inspect",
        summary: "Says what is in an export or an archive.",
        discussion: """
            SOURCE is an export of the Health app, a .hvault archive, an export folder or a folder with archives that continue each other. Without a passphrase, of an \
            archive only that is shown which everyone can see who has the file.
            """,
        elements: [
            .argument(
                \.source, "SOURCE",
                "an export, an archive an export folder, or a folder of archives; - is XML",
                as: .file),
            .flag(\.header, "header", "of an archive, show only what needs no passphrase"),
            .flag(\.profile, "profile", "also what the export says of the person: birth, sex, blood"),
            .flag(\.json, "json", "report as JSON"),
            .option(\.progress, "progress", value: "STYLE", "auto, plain, json or none", as: .choice),
            .flag(\.quiet, "quiet", short: "q", "no progress"),
            .section("Passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        if header, profile {
            throw UsageError(
                .invalidCombination, "--header shows what needs no passphrase, and the profile does",
                hint: "leave out one of the two")
        }
    }

    func run() async throws -> ExitStatus {
        let source = try ArchiveCheck.newest(source)
        var inspector = Inspector(path: source)
        inspector.includesProfile = profile
        let display = ProgressDisplay(progress, quiet: quiet)
        inspector.progress = display.handler
        var text = InspectionText(path: source)
        switch Inspector.kind(of: source) {
        case .container:
            do { text.header = try CleartextHeader(of: source) } catch {
                throw VaultError(.container(error), path: source)
            }
            let mayAsk = passphrase.isGiven || Console.errorsAreTerminal
            if !header, mayAsk {
                let passphrase = try passphrase.read(prompt: "Passphrase: ")
                text.report = try inspector.inspectContainer(passphrase: passphrase)
            }
        case .plainFolder: text.report = try inspector.inspectFolder()
        case .source: text.report = try inspector.inspectSource()
        }
        display.finish()
        if json { try Console.print(json: text.json) } else { try Console.print(text.text) }
        return .done
    }
}
