import CommandLineKit
import HealthVault
import SystemIO
import VaultContainer
import Wording

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
        summary: "Merges a chain of incremental archives into one.",
        discussion: """
            The new archive has the same passphrase. Like the chain, it keeps samples that the phone no longer has; \
            --mirror drops them. The old archives stay: verify the new one before you remove them.
            """,
        examples: [
            HelpExample(
                "healthvault compact /media/me/STICK/health -o health.hvault", "Merge a folder of archives"),
            HelpExample(
                "healthvault compact health.5.hvault -o merged.hvault --mirror",
                "Merge a chain and drop what the phone no longer has"),
        ],
        elements: [
            .argument(\.source, "SOURCE", "the newest archive, or the folder with the chain", as: .file),
            .option(
                \.output, "output", short: "o", value: "PATH", "the archive to write (required)", as: .file),
            .flag(\.mirror, "mirror", "drop samples that the newest export no longer contained"),
            .option(
                \.volumes, "split", value: "SIZE",
                "split the archive into files of this size, such as 4GB",
                as: .volumes),
            .flag(\.overwrite, "overwrite", "replace an existing archive once the new one is complete"),
            .iterations(\.givenIterations),
            .jobs(\.jobs),
            .progress(\.progress),
            .quiet(\.quiet),
            .json(\.json),
            .section("passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
            KeyOptions.refusingRing("the new archive gets as well"),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        try OutputName.validate(output, .archive)
        guard output != nil else {
            throw UsageError(
                .missingArgument, "'compact' requires a name for the new archive", hint: "add -o ARCHIVE")
        }
    }

    func run() async throws -> ExitStatus {
        let archive = try ArchiveFolder.resolved(source)
        try ArchiveCheck.requireContainer(archive)
        var converter = Converter(ConversionSource(export: archive), target: output ?? "", formats: [])
        converter.settings.jobs = jobs
        converter.settings.volumes = volumes
        if let givenIterations { converter.settings.iterations = givenIterations }
        converter.replacing = overwrite
        converter.mirroring = mirror
        try OutputFolder.check(
            converter.target, source: source, suggesting: "\(DefaultText.archive)", isReplaced: false)
        try StateFolderOption().checkNothingUnfinished(beside: converter.target, isEncrypted: true)
        try converter.checkContainer()
        let secret: HeldPassphrase
        (secret, converter.source) = try passphrase.retrying {
            let secret = HeldPassphrase(try passphrase.read(prompt: "Passphrase: "))
            let key = ArchiveKey.passphrase(secret)
            let newest = try ArchiveFolder.confirmed(archive, in: source, key: key)
            return (secret, try ConversionSource(container: newest, key: key))
        }
        WarningText.show(converter.source.warnings)
        let conversion = AttendedConversion(
            converter: converter, progress: progress, quiet: quiet, json: json)
        return try await conversion.encrypt(try secret.copy())
    }
}
