import CommandLineKit
import SystemIO
import VaultContainer

/// How an export is run, which may be another way each time it is continued.
struct ExportRunOptions: Sendable {
    var jobs = Process.processorCount
    var iterations = ContainerFormat.defaultIterations
    var progress = ProgressStyle.auto
    var quiet = false
    var json = false
    var stateFolder = StateFolderOption()
    var passphrase = NewPassphraseOptions()

    static let elements: [GrammarElement<ExportRunOptions>] = [
        .option(\.jobs, "jobs", short: "j", value: "N", "processors to use", as: .integer(in: 1...256)),
        .option(
            \.iterations, "iterations", value: "N", "iterations of PBKDF2",
            as: .integer(in: ContainerFormat.writableIterations)),
        .option(\.progress, "progress", value: "STYLE", "auto, plain, json or none", as: .choice),
        .flag(\.quiet, "quiet", short: "q", "say nothing but errors"),
        .flag(\.json, "json", "report as JSON"),
        .including(\.stateFolder, StateFolderOption.elements),
        .section(
            "Passphrase", [.including(\.passphrase, NewPassphraseOptions.elements(named: "passphrase"))]),
    ]

    func validate() throws(UsageError) { try passphrase.validate() }
}
