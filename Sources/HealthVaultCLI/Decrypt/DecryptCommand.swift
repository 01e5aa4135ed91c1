import CommandLineKit
import CommandOutput
import HealthVault
import SystemIO
import VaultCrypto

/// The command `healthvault decrypt`.
struct DecryptCommand: VaultCommand {
    var archive: BytePath = ""
    var output: BytePath?
    var stored = false
    var gone = false
    var tar = false
    var jobs = CurrentProcess.processorCount
    var progress = ProgressStyle.auto
    var quiet = false
    var overwrite = false
    var format = FormatOptions()
    var json = false
    var selection = SelectionOptions()
    var passphrase = PassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "decrypt",
        summary: "Gives back what an encrypted archive holds.",
        discussion: """
            The folder is byte for byte what an export without --encrypt would have written. It gets its name when \
            every byte was found authentic. --tar streams the archive's inside to standard output as it is \
            authenticated: whether the stream is whole, only the exit status tells.

            \(FormatOptions.discussion)

            \(SampleSelectionOptions.discussion)

            --entry gives single files under their paths, such as files/workout-routes/route.gpx, or as 'inspect' \
            lists them.
            """,
        elements: [
            .argument(
                \.archive, "ARCHIVE", "a .hvault file, or a folder of archives that continue each other",
                as: .file),
            .option(
                \.output, "output", short: "o", value: "PATH", "the folder or file to make", as: .file),
            .including(\.format, FormatOptions.elements),
            .flag(\.stored, "stored", "give the entries as they rest in the archive"),
            .flag(\.gone, "gone", "write only the samples that later exports no longer had"),
            .flag(\.tar, "tar", "write a tar stream to standard output"),
            .option(\.jobs, "jobs", short: "j", value: "N", "processors to use", as: .integer(in: 1...256)),
            .option(\.progress, "progress", value: "STYLE", "auto, plain, json or none", as: .choice),
            .flag(\.quiet, "quiet", short: "q", "say nothing but errors"),
            .flag(\.json, "json", "report as JSON"),
            .flag(\.overwrite, "overwrite", "replace an existing export"),
            .section("Selection", [.including(\.selection, SelectionOptions.elements)]),
            .section("Passphrase", [.including(\.passphrase, PassphraseOptions.elements)]),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        try selection.validate()
        try format.validate(output: output)
        try OutputName.validate(output, hint: "--tar writes a tar stream to standard output")
        if tar, selection.isGiven {
            throw UsageError(
                .invalidCombination, "--tar writes all of the archive; a selection does not go with it")
        }
        if stored, selection.samples != nil {
            throw UsageError(
                .invalidCombination,
                "--stored gives whole entries, which hold samples of half a year or a month",
                hint: "leave it out, or name entries with --entry")
        }
        if overwrite, !selection.entries.isEmpty {
            throw UsageError(
                .invalidCombination,
                "--overwrite replaces folders with a manifest, and single entries have none",
                hint: "choose another name, or remove the folder first")
        }
        if !format.given.isEmpty, tar || stored || !selection.entries.isEmpty {
            throw UsageError(
                .invalidCombination,
                "--format is about samples; --tar, --stored and --entry do not go with it")
        }
        if gone, tar || stored || !selection.entries.isEmpty {
            throw UsageError(
                .invalidCombination, "--gone is about samples; --tar, --stored and --entry do not go with it")
        }
        if tar, output != nil || stored {
            throw UsageError(
                .invalidCombination, "--tar writes to standard output; -o and --stored do not go with it")
        }
    }

    func run() async throws -> ExitStatus {
        let archive = try ArchiveCheck.newest(archive)
        try ArchiveCheck.requireContainer(archive)
        if tar { return try writeTar(archive) }
        if isConversion { return try await convert(archive) }
        var decryptor = Decryptor(archive: archive)
        decryptor.jobs = jobs
        decryptor.replacing = overwrite
        let target = (output ?? "health-export").withoutTrailingSlashes
        try decryptor.check(target: target)
        let display = ProgressDisplay(progress, quiet: quiet)
        decryptor.progress = display.handler
        decryptor.isInterrupted = Interruption.isRequested
        let passphrase = try passphrase.read(prompt: "Passphrase: ")
        Interruption.removeOutputOnInterruption()
        let summary = try await decrypt(decryptor, to: target, passphrase)
        display.finish()
        WarningText.show(summary.warnings, archive)
        WarningText.show(summary.predecessorWarnings)
        WarningText.show(leftBehind: summary.leftBehind)
        if !quiet { report(summary, target) }
        return .done
    }

    /// Whether the samples are written in other formats than that of the plain folder, or only some of them.
    private var isConversion: Bool { gone || selection.samples != nil || format.formats != [.ndjson] }

    private func writeTar(_ archive: BytePath) throws -> ExitStatus {
        guard !Console.outputIsTerminal else {
            throw UsageError(
                .invalidCombination, "a tar stream is nothing for a terminal",
                hint: "send it to a file or to tar -t")
        }
        let passphrase = try passphrase.read(prompt: "Passphrase: ")
        let output = FileDescriptor(inherited: 1, name: Console.streamName)
        WarningText.show(try Decryptor(archive: archive).writeTar(to: output, passphrase: passphrase))
        return .done
    }

    private func convert(_ archive: BytePath) async throws -> ExitStatus {
        var converter = Converter(
            ConversionSource(export: archive), target: output ?? format.defaultTarget,
            formats: format.formats)
        converter.selection = selection.samples ?? (gone ? SampleSelection() : nil)
        converter.jobs = jobs
        converter.replacing = overwrite
        // Before the passphrase is asked for.
        try converter.check()
        converter.source = try ConversionSource(
            container: archive, passphrase: try passphrase.read(prompt: "Passphrase: "), isGone: gone)
        WarningText.show(converter.source.warnings)
        return try await AttendedConversion(
            converter: converter, progress: progress, quiet: quiet, json: json
        ).run()
    }

    private func decrypt(
        _ decryptor: Decryptor, to target: BytePath, _ passphrase: borrowing Passphrase
    ) async throws -> Decryptor.Summary {
        let form = stored ? Decryptor.Form.stored : .plain
        if !selection.entries.isEmpty {
            return try await decryptor.decryptEntries(
                selection.entries, to: target, as: form, passphrase: passphrase)
        }
        return try await decryptor.decrypt(to: target, as: form, passphrase: passphrase)
    }

    private func report(_ summary: Decryptor.Summary, _ target: BytePath) {
        let lacking = summary.manifest.map { MissingPartsText.describe($0, isArchive: true) } ?? []
        for line in lacking { Console.log(line) }
        let (files, size) = (Quantities.count(summary.files, "file"), Quantities.bytes(summary.size))
        Console.log("\(files), \(size) in \(Quantities.seconds(summary.seconds))")
        Console.log("written unencrypted: \(target)")
    }
}
