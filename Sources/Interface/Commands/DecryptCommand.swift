import CommandLineKit
import HealthVault
import SystemIO
import Tables
import VaultContainer
import Wording

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
    var fhir = FHIRArguments()
    var json = false
    var selection = SelectionOptions()
    var key = KeyOptions()

    static let grammar = CommandGrammar<Self>(
        name: "decrypt",
        summary: "Decrypts an archive into a folder.",
        discussion: """
            The folder is byte for byte what an export without --encrypt would have written. It appears only after \
            everything has been authenticated. --tar writes each part to standard output as soon as it is \
            authenticated: the stream is complete only if the exit status is 0.

            \(FormatOptions.discussion)

            \(SampleSelectionOptions.discussion)

            --entry extracts single files by their path in the folder, such as files/workout-routes/route.gpx, or by \
            the name that 'inspect' shows.
            """,
        examples: [
            HelpExample("healthvault decrypt health.hvault -o health", "Decrypt everything"),
            HelpExample(
                "healthvault decrypt health.hvault --types 'Heart Rate' --last 1m -o month",
                "Decrypt only the last month of heart rates"),
        ],
        elements: [
            .argument(
                \.archive, "ARCHIVE", "a .hvault file, or a folder with a chain of archives",
                as: .file),
            .option(
                \.output, "output", short: "o", value: "PATH", default: DefaultText.folder,
                "the folder or file to write", as: .file),
            .including(\.format, FormatOptions.elements),
            .including(\.fhir, FHIRArguments.elements),
            .flag(\.gone, "gone", "only samples that later exports no longer contained"),
            .expert([
                .flag(\.stored, "stored", "extract entries in their stored form"),
                .flag(\.tar, "tar", "write a tar stream to standard output"),
            ]),
            .jobs(\.jobs),
            .progress(\.progress),
            .quiet(\.quiet),
            .json(\.json),
            .flag(\.overwrite, "overwrite", "replace an existing export once the new one is complete"),
            .section("selection", [.including(\.selection, SelectionOptions.elements)]),
            .including(\.key, KeyOptions.elements),
        ])

    func validate() throws(UsageError) {
        try key.validate()
        try selection.validate()
        if !tar, !stored, selection.entries.isEmpty { try format.validate(output: output) }
        let formats = tar || stored ? [] : format.formats(output)
        try fhir.validate(formats)
        try format.validateUnits(formats)
        if tar, output != nil || stored {
            throw UsageError(.invalidCombination, "--tar cannot be combined with -o or --stored")
        }
        let content: OutputName.Content =
            stored || !selection.entries.isEmpty ? .folder : .formats(formats)
        try OutputName.validate(output, content, hint: "--tar writes a tar stream to standard output")
        if tar, selection.isGiven {
            throw UsageError(
                .invalidCombination, "--tar writes the whole archive and cannot be combined with a selection")
        }
        if stored, selection.samples != nil {
            throw UsageError(
                .invalidCombination,
                "--stored extracts whole entries and cannot be combined with types and times",
                hint: "leave out --stored, or name entries with --entry")
        }
        if overwrite, !selection.entries.isEmpty {
            throw UsageError(
                .invalidCombination,
                "--overwrite cannot be combined with --entry",
                hint: "choose another name, or remove the folder first")
        }
        if !format.given.isEmpty, tar || stored || !selection.entries.isEmpty {
            throw UsageError(
                .invalidCombination,
                "--format cannot be combined with --tar, --stored or --entry")
        }
        if gone, tar || stored || !selection.entries.isEmpty {
            throw UsageError(
                .invalidCombination, "--gone cannot be combined with --tar, --stored or --entry")
        }
    }

    func run() async throws -> ExitStatus {
        do { return try await decrypt() } catch let database as EncryptedDatabase {
            let formats = format.given.isEmpty ? [] : format.formats(output)
            guard !selection.isGiven, !gone, !stored, formats.isEmpty || formats == [.sqlite] else {
                throw AnalyticsError(.notArchive, path: database.path)
            }
            return try database.decrypt(
                to: output ?? "analytics.sqlite", replacing: overwrite, json: json, quiet: quiet)
        }
    }

    private func decrypt() async throws -> ExitStatus {
        let archive = try ArchiveFolder.resolved(archive)
        try ArchiveCheck.requireContainer(archive)
        if tar { return try writeTar(archive) }
        if isConversion { return try await convert(archive) }
        var decryptor = Decryptor(archive: archive)
        decryptor.jobs = jobs
        decryptor.replacing = overwrite
        let target = (output ?? "health-export").withoutTrailingSlashes
        try OutputFolder.check(
            target, source: archive, suggesting: "\(DefaultText.folder)", isReplaced: overwrite)
        try StateFolderOption().checkNothingUnfinished(beside: target, isEncrypted: false)
        try decryptor.check(target: target)
        decryptor.progress = ProgressDisplay(progress, quiet: quiet).handler
        decryptor.isInterrupted = Interruption.isRequested
        let summary = try await key.unlocking { key in
            decryptor.archive = try ArchiveFolder.confirmed(archive, in: self.archive, key: key)
            Interruption.removeOutput(of: target)
            return try await EncryptedDatabase.instead(of: decryptor.archive, key) {
                try await decrypt(decryptor, to: target, key)
            }
        }
        WarningText.show(summary.warnings, archive)
        WarningText.show(summary.predecessorWarnings)
        WarningText.show(leftBehind: summary.leftBehind)
        let report = DecryptionReport(summary: summary, target: target)
        if json { try Console.print(json: report.json) } else if !quiet { report.show() }
        return .done
    }

    /// Whether the samples are written in formats other than that of the plain folder, or only some of them are
    /// written.
    private var isConversion: Bool {
        gone || selection.samples != nil
            || (!stored && selection.entries.isEmpty && format.formats(output) != [.ndjson])
    }

    private func writeTar(_ archive: BytePath) throws -> ExitStatus {
        guard !Console.outputIsTerminal else {
            throw UsageError(
                .invalidCombination, "refusing to write a tar stream to a terminal",
                hint: "redirect it to a file or to tar -t")
        }
        let output = FileDescriptor(inherited: 1, name: StandardStreams.archive)
        let (warnings, manifest) = try key.unlocking { key in
            let newest = try ArchiveFolder.confirmed(archive, in: self.archive, key: key)
            return try Decryptor(archive: newest).writeTar(to: output, key: key)
        }
        WarningText.show(warnings)
        if let manifest, !quiet {
            for line in MissingPartsText.describe(manifest, isArchive: true) { Console.log(line) }
        }
        return .done
    }

    private func convert(_ archive: BytePath) async throws -> ExitStatus {
        var converter = Converter(
            ConversionSource(export: archive), target: output ?? format.defaultTarget,
            formats: format.formats(output))
        converter.selection = selection.samples ?? (gone ? SampleSelection() : nil)
        converter.settings.jobs = jobs
        converter.replacing = overwrite
        converter.fhir = try fhir.options()
        converter.units = format.units.system
        try OutputFolder.check(
            converter.target, source: archive, suggesting: format.defaultTarget.name, isReplaced: overwrite)
        try StateFolderOption().checkNothingUnfinished(beside: converter.target, isEncrypted: false)
        // Checked before asking for the passphrase.
        try converter.check()
        converter.source = try key.unlocking { key in
            let newest = try ArchiveFolder.confirmed(archive, in: self.archive, key: key)
            return try EncryptedDatabase.instead(of: newest, key) {
                try ConversionSource(container: newest, key: key, isGone: gone)
            }
        }
        WarningText.show(converter.source.warnings)
        return try await AttendedConversion(
            converter: converter, progress: progress, quiet: quiet, json: json
        ).run()
    }

    private func decrypt(
        _ decryptor: Decryptor, to target: BytePath, _ key: ArchiveKey
    ) async throws -> Decryptor.Summary {
        let form = stored ? Decryptor.Form.stored : .plain
        if !selection.entries.isEmpty {
            return try await decryptor.decryptEntries(selection.entries, to: target, as: form, key: key)
        }
        return try await decryptor.decrypt(to: target, as: form, key: key)
    }
}
