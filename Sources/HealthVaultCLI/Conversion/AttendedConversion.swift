import HealthVault
import JSONText
import SystemIO

/// Runs a conversion: shows its progress and reports how it ended.
struct AttendedConversion {
    var converter: Converter
    var progress = ProgressStyle.auto
    var quiet = false
    var json = false

    func run() async throws -> ExitStatus {
        let display = ProgressDisplay(progress, quiet: quiet)
        var converter = converter
        converter.progress = display.handler
        converter.isInterrupted = Interruption.isRequested
        Interruption.removeOutputOnInterruption()
        let summary = try await converter.convert()
        display.finish()
        WarningText.show(leftBehind: summary.leftBehind)
        let report = ConversionReport(
            summary: summary, source: converter.source.path, target: converter.target,
            isPart: converter.selection != nil, makesFile: converter.makesFile)
        if json {
            try Console.print(json: report.json)
        } else {
            for line in quiet ? report.lacking : report.lines { Console.log(line) }
        }
        return summary.manifest.isIncomplete && converter.source.isExport ? .incomplete : .done
    }
}
