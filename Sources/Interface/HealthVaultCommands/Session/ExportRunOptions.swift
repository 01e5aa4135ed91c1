import CommandLineKit
import CommandOptions
import CommandOutput
import SystemIO
import VaultContainer

/// The options for running an export, which may differ each time it is continued.
struct ExportRunOptions: Sendable {
    var givenJobs: Int?
    var givenIterations: Int?
    var givenProgress: ProgressStyle?
    var volumes: VolumeRule?
    var quiet = false
    var json = false
    var stateFolder = StateFolderOption()
    var passphrase = NewPassphraseOptions()

    static let elements: [GrammarElement<ExportRunOptions>] = [
        .option(
            \.givenJobs, "jobs", short: "j", value: "N", default: DefaultText.jobs, "number of threads",
            as: .integer(in: 1...256)),
        .option(
            \.givenIterations, "iterations", value: "N", default: DefaultText.iterations, "PBKDF2 iterations",
            as: .integer(in: ContainerFormat.writableIterations)),
        .option(
            \.givenProgress, "progress", value: "STYLE", default: DefaultText.progress,
            "how to show progress: auto, plain, json or none", as: .choice),
        .option(
            \.volumes, "split", value: "SIZE", "split the archive into files of this size, such as 4GB",
            as: .volumes),
        .flag(\.quiet, "quiet", short: "q", "print errors only"),
        .flag(\.json, "json", "print a JSON report"),
        .including(\.stateFolder, StateFolderOption.elements),
        .section(
            "passphrase", [.including(\.passphrase, NewPassphraseOptions.elements(named: "passphrase"))]),
    ]

    var jobs: Int { givenJobs ?? CurrentProcess.processorCount }
    var iterations: Int { givenIterations ?? ContainerFormat.defaultIterations }
    var progress: ProgressStyle { givenProgress ?? .auto }

    /// Whether options were given that apply only when an export runs.
    var hasRunOptions: Bool { givenJobs != nil || givenIterations != nil || givenProgress != nil }

    func validate() throws(UsageError) { try passphrase.validate() }
}
