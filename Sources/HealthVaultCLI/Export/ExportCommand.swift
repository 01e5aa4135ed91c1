import CommandLineKit
import HealthVault
import SampleBatches
import SystemIO
import VaultContainer

/// The command `healthvault export`.
struct ExportCommand: VaultCommand {
    var source: BytePath = ""
    var output: BytePath?
    var encrypt = false
    var batch = BatchOptions(span: .byLength)
    var overwrite = false
    var acceptTruncated = false
    var session: String?
    var restart = false
    var run = ExportRunOptions()

    static let grammar = CommandGrammar<Self>(
        name: "export",
        summary: "Writes an export of the Health app as an encrypted archive or as plain files.",
        discussion: """
            SOURCE is Apple's export.zip, its unpacked folder, or an export.xml; - reads XML from standard input. With \
            --encrypt the result is one .hvault file; without it, a folder of files that everyone can read. An export \
            that was interrupted goes on where it stopped when the same command is given again, or by its name: see \
            'healthvault session'.
            """,
        elements: [
            .argument(\.source, "SOURCE", "export.zip, its folder, an export.xml, or -", as: .file),
            .option(
                \.output, "output", short: "o", value: "PATH", "the archive or folder to make", as: .file),
            .flag(\.encrypt, "encrypt", short: "e", "make an encrypted archive"),
            .option(
                \.batch, "batch", value: "SPAN", "span, rows or size of a batch: auto, 1month, 5000, 1MiB",
                as: ValueParser(expected: "a span, a number of rows or a size such as 1month, 5000 or 1MiB") {
                    BatchOptions(parsing: $0)
                }),
            .flag(\.overwrite, "overwrite", "replace an existing archive once the new one is complete"),
            .option(\.session, "session", value: "ID", "a name to find this export by", as: .text),
            .flag(
                \.restart, "restart", "start over, although an interrupted export could be continued"),
            .flag(\.acceptTruncated, "accept-truncated", "take what a cut-off source still holds"),
            .including(\.run, ExportRunOptions.elements),
        ])

    func validate() throws(UsageError) {
        try run.validate()
        try OutputName.validate(output)
        if let output, output.hasSuffix(FurtherName.suffix), !encrypt {
            throw UsageError(
                .invalidCombination,
                "'\(output)' is named like an encrypted archive, but --encrypt was not given",
                hint: "add --encrypt, or choose another name for a folder that everyone can read")
        }
        if run.passphrase.isGiven, !encrypt {
            throw UsageError(
                .invalidCombination, "a passphrase was given, but not --encrypt",
                hint: "add --encrypt, or leave the passphrase out for plain files")
        }
        if run.givenIterations != nil, !encrypt {
            throw UsageError(.invalidCombination, "--iterations goes with --encrypt only")
        }
        if source == "-", run.passphrase.given.usesStandardInput {
            throw UsageError(.invalidCombination, "standard input cannot be both source and passphrase")
        }
        if source == "-", session != nil {
            throw UsageError(
                .invalidCombination, "standard input can be read only once, so that it makes no session",
                hint: "save it as a file, or leave out --session")
        }
        if overwrite, acceptTruncated {
            throw UsageError(
                .invalidCombination, "--accept-truncated never replaces an existing archive",
                hint: "leave out --overwrite and choose another name")
        }
    }

    func run() async throws -> ExitStatus {
        let target: BytePath = output ?? (encrypt ? "health.hvault" : "health-export")
        let path = Folder.absolute(target)
        var record = ExportRecord(
            identifier: session.map { BulkExportSessionIdentifier($0) }
                ?? ExportRecord.automaticIdentifier(forTarget: path),
            source: source == "-" ? source : Folder.absolute(source), target: path, isEncrypted: encrypt,
            batching: batch, created: SystemClock.now())
        record.isNamed = session != nil
        record.isReplacing = overwrite
        record.acceptsTruncated = acceptTruncated
        var export = AttendedExport(record, restart ? .restart : .begin, options: run)
        export.source = source
        export.target = target
        return try await export.run()
    }
}
