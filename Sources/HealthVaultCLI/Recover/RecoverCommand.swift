import CommandLineKit
import CommandOutput
import HealthVault
import SystemIO
import VaultContainer

/// The command `healthvault recover`.
struct RecoverCommand: VaultCommand {
    var archive: BytePath = ""
    var output: BytePath?
    var progress = ProgressStyle.auto
    var quiet = false
    var json = false
    var overwrite = false
    var passphrase = PassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "recover",
        summary: "Gets out of a damaged or unfinished archive what is still authentic.",
        discussion: """
            What is whole becomes what 'decrypt' would have made of it. Of everything else the bytes that are left \
            are given under a name that ends with .RECOVERED, with zeroes where some are lost. recovery.json in the \
            folder lists what is lost. Nothing is given out that does not authenticate.
            """,
        elements: [
            .argument(\.archive, "ARCHIVE", "a .hvault file, or an unfinished .hvault.part", as: .file),
            .option(\.output, "output", short: "o", value: "DIR", "the folder to make", as: .folder),
            .option(\.progress, "progress", value: "STYLE", "auto, plain, json or none", as: .choice),
            .flag(\.quiet, "quiet", short: "q", "say nothing but errors"),
            .flag(\.json, "json", "print the report as JSON"),
            .flag(\.overwrite, "overwrite", "replace an existing export folder"),
            .section("Passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        try OutputName.validate(output)
    }

    func run() async throws -> ExitStatus {
        var recoverer = Recoverer(archive: archive)
        recoverer.replacing = overwrite
        // Reports a missing file before asking for a passphrase.
        _ = try FileStatus(at: archive)
        let target = (output ?? "health-recovered").withoutTrailingSlashes
        try recoverer.check(target: target)
        let display = ProgressDisplay(progress, quiet: quiet)
        recoverer.progress = display.handler
        recoverer.beginning = Interruption.removeOutputOnInterruption
        recoverer.isInterrupted = Interruption.isRequested
        let passphrase = try passphrase.read(prompt: "Passphrase: ")
        let report = try recoverer.recover(to: target, passphrase: passphrase)
        display.finish()
        WarningText.show(leftBehind: report.leftBehind)
        if json { try Console.print(json: String(decoding: report.json, as: UTF8.self)) }
        if !quiet, !json { RecoveryText(report: report, target: target).show() }
        return report.isComplete ? .done : .incomplete
    }
}
