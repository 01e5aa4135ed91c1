import HealthVault
import SystemIO
import VaultCrypto
import Wording

/// A conversion that shows its progress and reports its outcome.
struct AttendedConversion {
    var converter: Converter
    var progress = ProgressStyle.auto
    var quiet = false
    var json = false

    /// Writes the requested formats.
    func run() async throws -> ExitStatus {
        try report(try await prepared().convert())
    }

    /// Writes an encrypted archive.
    func encrypt(_ passphrase: consuming Passphrase) async throws -> ExitStatus {
        try report(try await prepared().encrypt(passphrase: passphrase))
    }

    private func prepared() -> Converter {
        // The rows of Apple's XML are put back into the order of the document once all are known.
        let steps: [VaultProgress.Phase] = converter.formats.contains(.appleXML) ? [.reading, .writing] : []
        var converter = converter
        converter.settings.progress = ProgressDisplay(progress, quiet: quiet, steps: steps).handler
        converter.settings.isInterrupted = Interruption.isRequested
        converter.settings.tool = ToolVersion.text
        Interruption.removeOutput(of: converter.target)
        return converter
    }

    private func report(_ summary: Converter.Summary) throws -> ExitStatus {
        try show(summary)
        return summary.manifest.isIncomplete && converter.source.isExport ? .incomplete : .done
    }

    /// Prints what was written.
    func show(_ summary: Converter.Summary) throws {
        WarningText.show(leftBehind: summary.leftBehind)
        let report = ConversionReport(
            summary: summary, source: converter.source.path, target: converter.target,
            makesFile: converter.makesFile, isExport: converter.source.isExport)
        if json {
            try Console.print(json: report.json)
        } else {
            for line in quiet ? report.lacking : report.lines { Console.log(line) }
        }
    }
}
