import ByteText
package import HealthVault
package import SystemIO
import Wording

/// The report at the end of an export that continues an archive.
package struct IncrementReport {
    let written: Increment.Written
    let source: BytePath

    /// Creates the report.
    package init(written: Increment.Written, source: BytePath) {
        self.written = written
        self.source = source
    }

    private var summary: Exporter.Summary { written.summary }
    private var manifest: Manifest { summary.manifest }

    package var lines: [TerminalText] {
        var line: TerminalText =
            "\(Quantities.count(written.added, "new sample")) of \(Quantities.count(manifest.sampleCount))"
        if written.vanished > 0 {
            line += ", \(Quantities.count(written.vanished)) no longer in the export"
        }
        var lines = [line]
        if written.changedFiles > 0 || written.vanishedFiles > 0 {
            var line: TerminalText = "\(Quantities.count(written.changedFiles, "new or changed file"))"
            if written.vanishedFiles > 0 {
                line += ", \(Quantities.count(written.vanishedFiles)) no longer in the export"
            }
            lines.append(line)
        }
        let gone = manifest.gone.sampleCount
        if gone > 0 {
            lines.append(
                "\(Quantities.count(gone, "sample")) of earlier exports kept separately: see 'healthvault query --gone'"
            )
        }
        lines.append("\(Quantities.bytes(summary.targetSize)) in \(Quantities.seconds(summary.seconds))")
        if summary.resumedSize > 0 {
            lines.append(
                "resumed: \(Quantities.bytes(summary.resumedSize)) kept from the interrupted export")
        }
        lines += SourceWarningText.oddities(manifest, of: source) + lacking
        lines.append("encrypted: \(VolumeText.describe(written.target))")
        if let predecessor = written.continues.first {
            lines.append("continues \(predecessor): keep both in one folder")
        }
        return lines
    }

    /// The lines about what is missing.
    package var lacking: [TerminalText] { SourceWarningText.lacking(manifest) }

    /// Returns the report for an archive that already has everything.
    package static func nothingNew(_ archive: BytePath) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", archive)
            writer.member("encrypted", true)
            writer.member("nothingNew", true)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", written.target)
            writer.member("encrypted", true)
            writer.member("continues", written.continues)
            writer.member("samples", manifest.sampleCount)
            writer.member("added", written.added)
            writer.member("vanished", written.vanished)
            writer.member("changedFiles", written.changedFiles)
            writer.member("vanishedFiles", written.vanishedFiles)
            writer.member("gone", manifest.gone.sampleCount)
            writer.member("typeCount", manifest.typeCount)
            writer.member("fileCount", manifest.files.count)
            summary.writeCosts(&writer)
            SourceWarningText.write(warningsOf: manifest, of: source, &writer)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
