import CommandLineKit
import CommandOutput
import HealthVault
import SystemIO
import VaultContainer

/// The command `healthvault compact`.
struct CompactCommand: VaultCommand {
    var source: BytePath = ""
    var output: BytePath?
    var mirror = false
    var volumes: VolumeRule?
    var overwrite = false
    var givenIterations: Int?
    var jobs = CurrentProcess.processorCount
    var progress = ProgressStyle.auto
    var quiet = false
    var json = false
    var passphrase = PassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "compact",
        summary: "Folds an archive and all that it continues into a single one.",
        discussion: """
            SOURCE is the newest archive of a chain, or the folder with the chain. The new archive is opened by the \
            passphrase that is given, and holds the samples of earlier exports as the chain does, unless --mirror drops \
            them. The old archives stay; remove them when you have checked the new one.
            """,
        elements: [
            .argument(\.source, "SOURCE", "the newest archive, or the folder with the chain", as: .file),
            .option(\.output, "output", short: "o", value: "PATH", "the archive to make", as: .file),
            .flag(\.mirror, "mirror", "leave out samples that the newest export no longer had"),
            .option(
                \.volumes, "split", value: "SIZE",
                "split the archive into files of this size: .001, .002, ...",
                as: .volumes),
            .flag(\.overwrite, "overwrite", "replace an existing archive once the new one is complete"),
            .option(
                \.givenIterations, "iterations", value: "N", "iterations of PBKDF2",
                as: .integer(in: ContainerFormat.writableIterations)),
            .option(\.jobs, "jobs", short: "j", value: "N", "processors to use", as: .integer(in: 1...256)),
            .option(\.progress, "progress", value: "STYLE", "auto, plain, json or none", as: .choice),
            .flag(\.quiet, "quiet", short: "q", "say nothing but errors"),
            .flag(\.json, "json", "report as JSON"),
            .section("Passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        try OutputName.validate(output)
        guard output != nil else {
            throw UsageError(
                .missingArgument, "'compact' needs the name of the new archive", hint: "add -o ARCHIVE")
        }
    }

    func run() async throws -> ExitStatus {
        let archive = try ArchiveCheck.newest(source)
        try ArchiveCheck.requireContainer(archive)
        var converter = Converter(ConversionSource(export: archive), target: output ?? "", formats: [])
        converter.jobs = jobs
        converter.replacing = overwrite
        converter.mirroring = mirror
        converter.volumes = volumes
        try converter.checkContainer()
        let secret = HeldPassphrase(try passphrase.read(prompt: "Passphrase: "))
        converter.source = try ConversionSource(container: archive, passphrase: try secret.copy())
        WarningText.show(converter.source.warnings)
        let conversion = AttendedConversion(
            converter: converter, progress: progress, quiet: quiet, json: json)
        return try await conversion.encrypt(
            try secret.copy(), iterations: givenIterations ?? ContainerFormat.defaultIterations)
    }
}
