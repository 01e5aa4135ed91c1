package import ByteText
package import HealthVault
package import SystemIO
import Wording

/// A description of the contents of a session's outputs.
package struct SessionContentsText {
    let contents: SessionContents

    /// Creates the text.
    package init(contents: SessionContents) { self.contents = contents }

    package var lines: [TerminalText] {
        var lines: [TerminalText] = []
        if let report = contents.report { lines += describe(report) }
        if let kept = contents.kept {
            let entries = Quantities.count(kept.entries, "entry", plural: "entries")
            let batches = Quantities.count(kept.batches, "batch", plural: "batches")
            lines.append("kept so far: \(entries) with \(batches), \(Quantities.bytes(kept.size))")
        }
        return lines
    }

    private func describe(_ report: Inspector.Report) -> [TerminalText] {
        let samples = Quantities.count(report.sampleCount, "sample")
        var line: TerminalText = "\(samples) of \(Quantities.count(report.typeCount, "type"))"
        if let days = Inspector.days(of: report.types, by: report.days) {
            line += ", \(Quantities.days(days))"
        }
        var lines = [line]
        if !report.files.isEmpty { lines.append(Quantities.count(report.files.count, "side file")) }
        for name in report.damagedFiles { lines.append("damaged in the source: \(name)") }
        if report.isTruncated { lines.append("made from a truncated source") }
        return lines + FailedBatchText.describe(report.failedBatches)
    }

    package func write(_ writer: inout JSONWriter) {
        if let report = contents.report {
            writer.key("contents")
            writer.object { writer in write(report, &writer) }
        }
        if let kept = contents.kept {
            writer.key("kept")
            writer.object { writer in
                writer.member("entries", kept.entries)
                writer.member("batches", kept.batches)
                writer.member("bytes", kept.size)
            }
        }
    }

    private func write(_ report: Inspector.Report, _ writer: inout JSONWriter) {
        writer.member("samples", report.sampleCount)
        writer.member("typeCount", report.typeCount)
        if let starts = Inspector.starts(of: report.types, by: report.days) {
            writer.member("first", starts.first)
            writer.member("last", starts.last)
        }
        writer.member("fileCount", report.files.count)
        writer.member("truncated", report.isTruncated)
        writer.member("failedBatches", report.failedBatches.map { EntryPath.batch($0.key) })
        writer.member("damagedFiles", report.damagedFiles)
    }
}
