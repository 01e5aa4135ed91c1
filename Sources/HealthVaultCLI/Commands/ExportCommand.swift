import CommandLineKit
import HealthModel
import HealthVault
import SystemIO
import VaultContainer

/// The command `healthvault export`.
struct ExportCommand: VaultCommand {
    var source = ""
    var output: String?
    var encrypt = false
    var batch = BatchOptions()
    var jobs = Process.processorCount
    var iterations = ContainerFormat.defaultIterations
    var progress = ProgressStyle.auto
    var quiet = false
    var json = false
    var overwrite = false
    var acceptTruncated = false
    var restart = false
    var passphrase = NewPassphraseOptions()

    static let grammar = CommandGrammar<Self>(
        name: "export",
        summary: "Writes an export of the Health app as an encrypted archive or as plain files.",
        discussion: """
            SOURCE is Apple's export.zip, its unpacked folder, or an export.xml; - reads XML from standard input. With \
            --encrypt the result is one .hvault file; without it, a folder of files that everyone can read.
            """,
        elements: [
            .argument(\.source, "SOURCE", "export.zip, its folder, an export.xml, or -", as: .path),
            .option(
                \.output, "output", short: "o", value: "PATH", "the archive or folder to make", as: .path),
            .flag(\.encrypt, "encrypt", short: "e", "make an encrypted archive"),
            .option(
                \.batch, "batch", value: "SPAN", "span, rows or size of a batch: auto, 1month, 5000, 1MiB",
                as: ValueParser(expected: "a span, a number of rows or a size such as 1month, 5000 or 1MiB") {
                    BatchOptions(parsing: $0)
                }),
            .option(\.jobs, "jobs", short: "j", value: "N", "processors to use", as: .integer(in: 1...256)),
            .option(
                \.iterations, "iterations", value: "N", "iterations of PBKDF2",
                as: .integer(in: ContainerFormat.writableIterations)),
            .option(\.progress, "progress", value: "STYLE", "auto, plain, json or none", as: .choice),
            .flag(\.quiet, "quiet", short: "q", "say nothing but errors"),
            .flag(\.json, "json", "report as JSON"),
            .flag(\.overwrite, "overwrite", "replace an existing archive once the new one is complete"),
            .flag(
                \.restart, "restart", "start over, although an interrupted export could be continued"),
            .flag(\.acceptTruncated, "accept-truncated", "take what a cut-off source still holds"),
            .section(
                "Passphrase", [.including(\.passphrase, NewPassphraseOptions.elements(named: "passphrase"))]),
        ])

    func validate() throws(UsageError) {
        try passphrase.validate()
        if passphrase.isGiven, !encrypt {
            throw UsageError(
                .invalidCombination, "a passphrase was given, but not --encrypt",
                hint: "add --encrypt, or leave the passphrase out for plain files")
        }
        if source == "-", passphrase.given.usesStandardInput {
            throw UsageError(.invalidCombination, "standard input cannot be both source and passphrase")
        }
        if restart, !encrypt {
            throw UsageError(
                .invalidCombination, "--restart goes with --encrypt: a plain export always starts over")
        }
        if overwrite, acceptTruncated {
            throw UsageError(
                .invalidCombination, "--accept-truncated never replaces an existing archive",
                hint: "leave out --overwrite and choose another name")
        }
    }

    func run() async throws -> ExitStatus {
        let target = output ?? (encrypt ? "health.hvault" : "health-export")
        var exporter = Exporter(source: source, target: target)
        exporter.batching = batch
        exporter.jobs = jobs
        exporter.replacing = overwrite
        exporter.acceptsTruncated = acceptTruncated
        exporter.restarts = restart
        exporter.tool = "healthvault \(HealthVaultTool.version)"
        let display = ProgressDisplay(progress, quiet: quiet)
        exporter.progress = display.handler
        let summary: Exporter.Summary
        if encrypt {
            try exporter.check()
            let isResumable = source != "-"
            let passphrase = try passphrase.read(
                prompt: "Passphrase for the archive: ", iterations: iterations)
            Process.sayOnInterruption(
                isResumable
                    ? "interrupted. The same command with the same passphrase goes on where this one stopped"
                    : "interrupted. Standard input cannot be continued: start over")
            summary = try await exporter.exportContainer(passphrase: passphrase, iterations: iterations)
        } else {
            Process.sayOnInterruption("interrupted. The same command starts over and clears what is left")
            summary = try await exporter.exportFolder()
        }
        display.finish()
        let report = ExportReport(summary: summary, target: target, isEncrypted: encrypt)
        if json { try Console.print(report.json) } else if !quiet { Console.note(report.text) }
        return summary.manifest.isIncomplete ? .incomplete : .done
    }
}
