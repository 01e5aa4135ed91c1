import CommandLineKit
import HealthVault
import SystemIO
import VaultContainer
import Wording

/// The options for running an export, which may differ each time it is continued.
struct ExportRunOptions: Sendable {
    var jobs = CurrentProcess.processorCount
    var givenIterations: Int?
    var progress = ProgressStyle.auto
    var volumes: VolumeRule?
    var quiet = false
    var json = false
    var stateFolder = StateFolderOption()
    var passphrase = NewPassphraseOptions()

    /// What may differ each time an export runs.
    static let running: [GrammarElement<ExportRunOptions>] = [
        .option(
            \.volumes, "split", value: "SIZE", "split the archive into files of this size, such as 4GB",
            as: .volumes),
        .progress(\.progress),
        .jobs(\.jobs),
        .iterations(\.givenIterations),
        .section(
            KeyOptions.section,
            [.including(\.passphrase, NewPassphraseOptions.elements)]),
    ]

    static let elements: [GrammarElement<ExportRunOptions>] =
        running + [
            .quiet(\.quiet),
            .json(\.json),
            .including(\.stateFolder, StateFolderOption.elements),
        ]

    var iterations: Int { givenIterations ?? ContainerFormat.defaultIterations }

    /// The settings of a run that shows its progress in `display` and stops when the user interrupts it.
    func settings(showing display: ProgressDisplay? = nil) -> RunSettings {
        var settings = RunSettings()
        settings.jobs = jobs
        settings.iterations = iterations
        settings.volumes = volumes
        settings.tool = ToolVersion.text
        settings.isInterrupted = Interruption.isRequested
        if let display { settings.progress = display.handler }
        if !quiet, !json {
            settings.resuming = { kept in
                Console.log(kept.map { "continuing, \(Quantities.bytes($0)) kept" } ?? "continuing")
            }
        }
        return settings
    }

    func validate() throws(UsageError) { try passphrase.validate() }
}
