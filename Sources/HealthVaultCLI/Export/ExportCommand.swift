import CommandLineKit
import CommandOutput
import HealthVault
import SampleBatches
import SystemIO
import VaultContainer
import VaultCrypto

/// The command `healthvault export`.
struct ExportCommand: VaultCommand {
    var source: BytePath = ""
    var output: BytePath?
    var encrypt = false
    var batch = BatchOptions(span: .byLength)
    var overwrite = false
    var acceptDamaged = false
    var format = FormatOptions()
    var selection = SampleSelectionOptions()
    var session: String?
    var restart = false
    var destination = DestinationOptions()
    var run = ExportRunOptions()
    var sourcePassphraseOptions = PassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "export",
        summary: "Writes an export of the Health app as an encrypted archive or as plain files.",
        discussion: """
            SOURCE is Apple's export.zip, its unpacked folder, or an export.xml; - reads XML from standard input. An \
            archive or an export folder of this program can be exported again, into other formats. With \
            --encrypt the result is one .hvault file; without it, files that everyone can read. An export \
            that was interrupted goes on where it stopped when the same command is given again, or by its name: see \
            'healthvault session'. An export in other formats, or of a part, starts over.

            \(FormatOptions.discussion)

            \(SampleSelectionOptions.discussion)
            """,
        elements: [
            .argument(
                \.source, "SOURCE",
                "export.zip, its folder, an export.xml, an archive, an export folder, or -",
                as: .file),
            .option(
                \.output, "output", short: "o", value: "PATH", "the archive, folder or file to make",
                as: .file),
            .flag(\.encrypt, "encrypt", short: "e", "make an encrypted archive"),
            .including(\.format, FormatOptions.elements),
            .option(
                \.batch, "batch", value: "SPAN", "span, rows or size of a batch: auto, 1month, 5000, 1MiB",
                as: ValueParser(expected: "a span, a number of rows or a size such as 1month, 5000 or 1MiB") {
                    BatchOptions(parsing: $0)
                }),
            .flag(\.overwrite, "overwrite", "replace an existing export once the new one is complete"),
            .option(\.session, "session", value: "ID", "a name to find this export by", as: .text),
            .flag(
                \.restart, "restart", "start over, although an interrupted export could be continued"),
            .flag(
                \.acceptDamaged, "accept-damaged",
                "export everything that can be read of a damaged or truncated source"),
            .section("Destination", [.including(\.destination, DestinationOptions.elements)]),
            .section("Selection", [.including(\.selection, SampleSelectionOptions.elements)]),
            .including(\.run, ExportRunOptions.elements),
            .section(
                "Passphrase of an archive that is encrypted anew",
                [
                    .including(
                        \.sourcePassphraseOptions, PassphraseOptions.elements(named: "source-passphrase"))
                ]),
        ])

    func validate() throws(UsageError) {
        try run.validate()
        try sourcePassphraseOptions.validate()
        try selection.validate()
        try format.validate(output: output)
        try OutputName.validate(output)
        try destination.validate(output: output, isEncrypted: encrypt)
        try validateDestination()
        if encrypt, !format.given.isEmpty {
            throw UsageError(
                .invalidCombination, "an encrypted archive has no format: every one can be made of it later",
                hint:
                    "leave out --format; then: healthvault decrypt ARCHIVE --format \(format.given[0].rawValue)"
            )
        }
        if let output, output.hasSuffix(FurtherName.suffix), !encrypt {
            throw UsageError(
                .invalidCombination,
                "'\(output)' is named like an encrypted archive, but --encrypt was not given",
                hint: "add --encrypt, or choose another name for a folder that everyone can read")
        }
        if run.passphrase.isGiven, !encrypt, kind != .container {
            throw UsageError(
                .invalidCombination, "a passphrase was given, but not --encrypt",
                hint: "add --encrypt, or leave the passphrase out for plain files")
        }
        if run.givenIterations != nil, !encrypt {
            throw UsageError(.invalidCombination, "--iterations goes with --encrypt only")
        }
        if run.volumes != nil, !encrypt {
            throw UsageError(
                .invalidCombination, "--split is for encrypted archives",
                hint: "add --encrypt, or leave it out")
        }
        if run.passphrase.generate, !encrypt {
            throw UsageError(
                .invalidCombination,
                "--generate-passphrase makes one for a new archive, and --encrypt was not given")
        }
        if batch != BatchOptions(span: .byLength), kind != .source {
            throw UsageError(
                .invalidCombination, "the batches of an archive or an export folder stay as they are",
                hint: "leave out --batch, or export the source that it was made of")
        }
        if session != nil, isConversion {
            throw UsageError(
                .invalidCombination,
                "only an export of everything can be continued, so that it makes a session",
                hint: "leave out --session")
        }
        if sourcePassphraseOptions.isGiven, !encrypt || kind != .container {
            throw UsageError(
                .invalidCombination, "--source-passphrase-... is for an archive that is encrypted anew",
                hint: "without --encrypt, the passphrase that opens SOURCE is given with --passphrase-...")
        }
        if source == "-", run.passphrase.given.usesStandardInput {
            throw UsageError(.invalidCombination, "standard input cannot be both source and passphrase")
        }
        if source == "-", session != nil {
            throw UsageError(
                .invalidCombination, "standard input can be read only once, so that it makes no session",
                hint: "save it as a file, or leave out --session")
        }
        if overwrite, acceptDamaged {
            throw UsageError(
                .invalidCombination, "--accept-damaged never replaces an existing archive",
                hint: "leave out --overwrite and choose another name")
        }
    }

    /// The source: of a folder of archives, the newest one.
    private var origin: BytePath { (try? ArchiveCheck.newest(source)) ?? source }

    private var kind: Inspector.Kind { Inspector.kind(of: origin) }

    /// Checks that what was asked for goes with a destination.
    private func validateDestination() throws(UsageError) {
        guard destination.name != nil else { return }
        for (isGiven, option) in [
            (overwrite, "--overwrite"), (session != nil, "--session"),
            (acceptDamaged, "--accept-damaged"),
        ] where isGiven {
            throw UsageError(
                .invalidCombination,
                "\(option) does not go with --to, where each export gets a name of its own")
        }
        if source == "-" {
            throw UsageError(
                .invalidCombination, "an export to a destination can be continued, and standard input cannot",
                hint: "save it as a file first")
        }
        if destination.incremental, isConversion || batch != BatchOptions(span: .byLength) {
            throw UsageError(
                .invalidCombination,
                "--incremental exports everything from Apple's export, in batches as in the archive",
                hint: "leave out --batch and the selection")
        }
    }

    /// Whether the samples are read from an archive or a folder of this program, written in other formats, or only a
    /// part of them.
    var isConversion: Bool {
        kind != .source || selection.samples != nil || format.formats != [.ndjson]
    }

    func run() async throws -> ExitStatus {
        if let name = destination.name { return try await DestinationExport(self, name).run() }
        if isConversion { return try await convert() }
        let target: BytePath = output ?? (encrypt ? "health.hvault" : "health-export")
        let path = Folder.absolute(target)
        var record = ExportRecord(
            identifier: session.map { BulkExportSessionIdentifier($0) }
                ?? ExportRecord.automaticIdentifier(forTarget: path),
            source: source == "-" ? source : Folder.absolute(source), target: path, isEncrypted: encrypt,
            batching: batch, created: SystemClock.now())
        record.isNamed = session != nil
        record.isReplacing = overwrite
        record.acceptsDamage = acceptDamaged
        var export = AttendedExport(record, restart ? .restart : .begin, options: run)
        export.source = source
        export.target = target
        return try await export.run()
    }

    private func convert() async throws -> ExitStatus {
        var converter = try converter(output ?? (encrypt ? "health.hvault" : format.defaultTarget))
        converter.source = try openSource()
        let conversion = AttendedConversion(
            converter: converter, progress: run.progress, quiet: run.quiet, json: run.json)
        guard encrypt else { return try await conversion.run() }
        return try await conversion.encrypt(
            try run.passphrase.read(prompt: "Passphrase for the archive: ", iterations: run.iterations),
            iterations: run.iterations)
    }

    /// Returns what converts the source, once that is open; checks the target before a passphrase is asked for.
    func converter(_ target: BytePath) throws -> Converter {
        // The folder's archives may have names that do not tell which one is meant.
        let origin = try ArchiveCheck.newest(source)
        var converter = Converter(
            ConversionSource(export: origin), target: target, formats: format.formats)
        converter.selection = selection.samples
        converter.batching = batch
        converter.jobs = run.jobs
        converter.replacing = overwrite
        converter.acceptsDamage = acceptDamaged
        converter.volumes = run.volumes
        if encrypt { try converter.checkContainer() } else { try converter.check() }
        return converter
    }

    /// Opens the source of a conversion.
    func openSource() throws -> ConversionSource {
        switch kind {
        case .container:
            let opened = try ConversionSource(container: origin, passphrase: try sourcePassphrase())
            WarningText.show(opened.warnings)
            return opened
        case .plainFolder: return try ConversionSource(folder: origin)
        case .source: return ConversionSource(export: source)
        }
    }

    /// Reads the passphrase that opens the archive to be exported.
    private func sourcePassphrase() throws -> Passphrase {
        guard encrypt else { return try run.passphrase.given.read(prompt: "Passphrase: ") }
        return try sourcePassphraseOptions.read(prompt: "Passphrase of \(source): ")
    }
}
