import CommandLineKit
import HealthVault
import SampleBatches
import SystemIO
import Tables
import VaultContainer
import VaultCrypto
import Wording

/// The command `healthvault export`.
struct ExportCommand: VaultCommand {
    var source: BytePath = ""
    var output: BytePath?
    var encrypt = false
    var batch = BatchOptions(span: .byLength)
    var overwrite = false
    var acceptDamaged = false
    var withReader = false
    var format = FormatOptions()
    var fhir = FHIRArguments()
    var selection = SampleSelectionOptions()
    var pseudonyms = PseudonymOptions()
    var session: String?
    var restart = false
    var destination = DestinationOptions()
    var run = ExportRunOptions()
    /// What opens an archive given as the source; the passphrase only if another archive is written.
    var sourceKey = KeyOptions(named: PassphraseOptions.other)

    static let grammar = CommandGrammar<Self>(
        name: "export",
        summary: "Exports Health data to open formats: plain files, a database, tables, FHIR.",
        discussion: """
            SOURCE is the Health app's export.zip, its unpacked folder or its export.xml; - reads XML from standard \
            input. Archives and export folders of this program can be exported again, also to other formats.

            The result is unencrypted; with --encrypt it is one .hvault archive, as of 'healthvault encrypt'. If an export is \
            interrupted, the same command resumes it (see 'healthvault help session'); exports to other formats or of \
            selected samples start over.

            \(FormatOptions.discussion)

            \(SampleSelectionOptions.discussion)
            """,
        examples: [
            HelpExample("healthvault export export.zip --format sqlite -o health.db", "Export to a database"),
            HelpExample(
                "healthvault export export.zip --format csv --types workout --last 1y -o year",
                "Export a year of workouts as a table"),
        ],
        elements: [
            .argument(\.source, "SOURCE", sourceHelp, as: .file),
            .option(
                \.output, "output", short: "o", value: "PATH",
                default: "\(DefaultText.archive), \(DefaultText.folder)",
                "the archive, folder or file to write",
                as: .file),
            .flag(\.encrypt, "encrypt", short: "e", "write an encrypted archive"),
            .including(\.format, FormatOptions.elements),
            .including(\.fhir, FHIRArguments.elements),
        ] + commonElements)

    static let sourceHelp = "export.zip, its folder, export.xml, an archive, an export folder, or -"

    /// The options that encrypted and unencrypted exports have in common.
    static let commonElements: [GrammarElement<Self>] = [
        .expert([
            .option(
                \.batch, "batch", value: "SPAN", default: "auto",
                "span, rows or size of a batch: auto, 1month, 5000 or 1MiB",
                as: ValueParser(expected: "a span, a number of rows or a size such as 1month, 5000 or 1MiB") {
                    BatchOptions(parsing: $0)
                })
        ]),
        .flag(\.overwrite, "overwrite", "replace an existing export once the new one is complete"),
        .option(\.session, "session", value: "ID", "name this export", as: .session),
        .flag(\.restart, "restart", "start over instead of resuming an interrupted export"),
        .flag(
            \.acceptDamaged, "accept-damaged", "export everything readable in a damaged or truncated source"),
        .flag(
            \.withReader, "with-reader",
            "write \(DefaultText.readerPage), which opens archives in a browser, beside the archive"),
        .section("destination", [.including(\.destination, DestinationOptions.elements)]),
        .section("selection", [.including(\.selection, SampleSelectionOptions.elements)]),
        .section("copies for others", [.including(\.pseudonyms, PseudonymOptions.elements)]),
        .including(\.run, ExportRunOptions.elements),
        .including(
            \.sourceKey,
            KeyOptions.other("passphrase of an archive given as SOURCE", KeyOptions.ringElements)),
    ]

    func validate() throws(UsageError) {
        try run.validate()
        try sourceKey.validate()
        if !encrypt { try openingKey.validate() }
        try selection.validate()
        try pseudonyms.validate()
        if !encrypt { try format.validate(output: output) }
        let formats = encrypt ? [] : format.formats(output)
        try fhir.validate(formats)
        try format.validateUnits(formats)
        // A rule below knows better what is wrong with the name of an archive.
        let isArchive = encrypt || output.flatMap(OutputName.promise) == OutputName.archive
        try OutputName.validate(output, isArchive ? .archive : .formats(formats))
        try destination.validate(output: output, isEncrypted: encrypt)
        for rule in ExportRule.all where rule.isBroken(self) {
            throw UsageError(.invalidCombination, rule.message(self), hint: rule.hint(self))
        }
    }

    /// The source, or the newest archive if the source is a folder of archives.
    private var origin: BytePath { (try? ArchiveFolder.resolved(source)) ?? source }

    var kind: Inspector.Kind { Inspector.kind(of: origin) }

    /// Whether the export reads an archive or export folder, writes other formats, or writes only part of the samples.
    var isConversion: Bool {
        pseudonyms.isWanted
            || Converter.isNeeded(
                for: source, formats: encrypt ? [.ndjson] : format.formats(output),
                selection: selection.samples)
    }

    func run() async throws -> ExitStatus {
        if let name = destination.name {
            return try await export(to: name)
        }
        let target = target
        if withReader { try ReaderPage().check(beside: target, replacing: overwrite) }
        let status = try await write(to: target)
        try writeReader(beside: target, replacing: overwrite)
        return status
    }

    /// Writes the page that opens archives beside one, if that is wanted.
    ///
    /// - Parameter replacing: Whether to replace such a page of another version.
    private func writeReader(beside archive: BytePath, replacing: Bool) throws {
        guard withReader else { return }
        let page = try ReaderPage()
        let (path, isNew) = try page.save(beside: archive, replacing: replacing)
        guard !run.quiet, !run.json else { return }
        Console.log("\(isNew ? "written" : "already there"): \(path), SHA-256 \(page.digestText)")
    }

    private func write(to target: BytePath) async throws -> ExitStatus {
        try OutputFolder.check(
            target, source: source, suggesting: standardTarget.name, isReplaced: overwrite && !encrypt)
        announceUnencrypted(target)
        if isConversion {
            if !restart {
                try run.stateFolder.checkNothingUnfinished(beside: target, isEncrypted: encrypt)
            }
            return try await convert(to: target)
        }
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

    private var standardTarget: BytePath { encrypt ? "\(DefaultText.archive)" : format.defaultTarget }
    private var target: BytePath { output ?? standardTarget }

    /// Announces an unencrypted export before it starts, because a forgotten option would be noticed too late.
    func announceUnencrypted(_ target: BytePath) {
        guard !encrypt, !run.quiet, !run.json, Console.errorsAreTerminal else { return }
        Console.log("note: writing unencrypted files to \(target); add --encrypt for an encrypted archive")
    }

    private func export(to name: String) async throws -> ExitStatus {
        var options = DriveExportOptions()
        options.isEncrypted = encrypt
        options.formats = format.formats(nil)
        options.fhir = try fhir.options()
        options.units = format.units.system
        options.selection = selection.samples
        options.batching = batch
        options.isIncremental = destination.incremental
        options.isMirror = destination.mirror
        options.kept = destination.keep
        options.restarts = restart
        options.settings = run.settings()
        let state = try run.stateFolder.required()
        let place = try destination.configuration.destinations.destination(name)
        if !encrypt, format.given.isEmpty { try options.takeForm(of: place, state: state) }
        let export = try DriveExport(
            of: source, to: place, options: options, state: state,
            attendant: AttendedDriveExport(source, isEncrypted: encrypt, run) { try openSource() })
        let outcome = try await export.run()
        // A drive that is used for years has the page of an earlier version.
        if case .written(let output) = outcome { try writeReader(beside: output.path, replacing: true) }
        return AttendedDriveExport.status(outcome)
    }

    private func convert(to target: BytePath) async throws -> ExitStatus {
        var converter = try converter(target)
        converter.source = try openSource()
        let conversion = AttendedConversion(
            converter: converter, progress: run.progress, quiet: run.quiet, json: run.json)
        guard encrypt else { return try await conversion.run() }
        return try await conversion.encrypt(
            try run.passphrase.read(prompt: "Passphrase for the archive: ", iterations: run.iterations))
    }

    /// Returns a converter for the source, which is opened later; checks the target before asking for a passphrase.
    func converter(_ target: BytePath) throws -> Converter {
        // Throws if the names of a folder's archives do not show which one is the newest.
        let origin = try ArchiveFolder.resolved(source)
        var converter = Converter(
            ConversionSource(export: origin), target: target,
            formats: encrypt ? [.ndjson] : format.formats(output))
        converter.selection = selection.samples
        converter.batching = batch
        converter.settings = run.settings()
        converter.replacing = overwrite
        converter.acceptsDamage = acceptDamaged
        converter.fhir = try fhir.options()
        converter.units = format.units.system
        if encrypt { try converter.checkContainer() } else { try converter.check() }
        converter.pseudonyms = try pseudonyms.pseudonyms()
        return converter
    }

    /// What opens an archive given as the source.
    private var openingKey: KeyOptions {
        var key = sourceKey
        if !encrypt { key.passphrase = run.passphrase.given }
        return key
    }

    /// Opens the source of a conversion.
    func openSource() throws -> ConversionSource {
        switch kind {
        case .container:
            let prompt = encrypt ? "Passphrase of \(source): " : "Passphrase: "
            let opened = try openingKey.unlocking(prompt: prompt) { key in
                let newest = try ArchiveFolder.confirmed(origin, in: source, key: key)
                return try ConversionSource(container: newest, key: key)
            }
            WarningText.show(opened.warnings)
            return opened
        case .plainFolder: return try ConversionSource(folder: origin)
        case .source: return ConversionSource(export: source)
        }
    }
}
