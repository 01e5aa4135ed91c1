import CommandLineKit
import HealthVault
import SystemIO
import VaultContainer
import Wording

/// The command `healthvault recover`.
struct RecoverCommand: VaultCommand {
    var archive: BytePath = ""
    var output: BytePath?
    var progress = ProgressStyle.auto
    var quiet = false
    var json = false
    var overwrite = false
    var key = KeyOptions()

    static let grammar = CommandGrammar<Self>(
        name: "recover",
        summary: "Recovers everything intact from a damaged or unfinished archive.",
        discussion: """
            Intact entries are decrypted as by 'healthvault decrypt'. The readable part of a damaged one is saved under \
            a name that ends in .RECOVERED, with zeros in place of lost bytes. recovery.json lists what is lost. \
            Nothing is written that was not authenticated. A key ring also opens an archive without an intact key slot.
            """,
        examples: [
            HelpExample("healthvault recover health.hvault -o rescued", "Recover a damaged archive"),
            HelpExample(
                "healthvault recover health.hvault.part", "Recover what an interrupted export had written"),
        ],
        elements: [
            .argument(\.archive, "ARCHIVE", "a .hvault file, or an unfinished .hvault.part", as: .file),
            .option(
                \.output, "output", short: "o", value: "DIR", default: "health-recovered",
                "the folder to write",
                as: .folder),
            .progress(\.progress),
            .quiet(\.quiet),
            .json(\.json),
            .flag(\.overwrite, "overwrite", "replace an existing export folder once the new one is complete"),
            .including(\.key, KeyOptions.elements),
        ])

    func validate() throws(UsageError) {
        try key.validate()
        try OutputName.validate(output, .folder)
    }

    func run() async throws -> ExitStatus {
        var recoverer = Recoverer(archive: archive)
        recoverer.replacing = overwrite
        // Reports a missing file, or one that is no archive, before asking for a passphrase.
        _ = try FileStatus(at: archive)
        if !key.hasRing { try recoverer.checkArchive() }
        let target = (output ?? "health-recovered").withoutTrailingSlashes
        try OutputFolder.check(
            target, source: archive, suggesting: "health-recovered", isReplaced: overwrite)
        try StateFolderOption().checkNothingUnfinished(beside: target, isEncrypted: false)
        try recoverer.check(target: target)
        recoverer.progress = ProgressDisplay(progress, quiet: quiet).handler
        recoverer.beginning = { Interruption.removeOutput(of: target) }
        recoverer.isInterrupted = Interruption.isRequested
        let report = try key.unlocking { try recoverer.recover(to: target, key: $0) }
        WarningText.show(leftBehind: report.leftBehind)
        if json { try Console.print(json: String(decoding: report.json, as: UTF8.self)) }
        if !quiet, !json { RecoveryText(report: report, target: target).show() }
        return report.isComplete ? .done : .incomplete
    }
}
