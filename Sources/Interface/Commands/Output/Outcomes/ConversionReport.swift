import ByteText
package import HealthVault
package import SystemIO
import Wording

/// The report at the end of a conversion.
package struct ConversionReport {
    let summary: Converter.Summary
    let source: BytePath
    let target: BytePath
    let makesFile: Bool
    /// Whether the source is an export of the Health app, whose oddities have not been reported yet.
    let isExport: Bool

    /// Creates the report.
    package init(
        summary: Converter.Summary, source: BytePath, target: BytePath, makesFile: Bool, isExport: Bool
    ) {
        self.summary = summary
        self.source = source
        self.target = target
        self.makesFile = makesFile
        self.isExport = isExport
    }

    /// Only an archive has no format.
    private var isEncrypted: Bool { summary.formats.isEmpty }
    private var manifest: Manifest { summary.manifest }

    package var lines: [TerminalText] {
        let samples = Quantities.count(manifest.sampleCount, "sample")
        let size = Quantities.bytes(summary.size)
        let files: TerminalText =
            makesFile || isEncrypted ? "" : "\(Quantities.count(summary.files, "file")), "
        var lines = (isExport ? SourceWarningText.oddities(manifest, of: source) : []) + lacking
        for type in summary.absentTypes { lines.append("\(source): contains no \(type)") }
        if let left = summary.leftOut {
            lines.append(
                "pseudonymised; left out: \(Quantities.count(left.elements, "whole element")), \(Quantities.count(left.files, "side file"))"
            )
        }
        lines.append("\(samples), \(files)\(size) in \(Quantities.seconds(summary.seconds))")
        for format in summary.formats {
            for (kind, count) in format.notKept.sorted(by: { $0.key < $1.key }) {
                lines.append("not stored in \(format.format): \(FormatLossText.describe(kind, count))")
            }
            for (kind, count) in format.asText.sorted(by: { $0.key < $1.key }) {
                lines.append("stored as text in \(format.format): \(FormatLossText.describe(kind, count))")
            }
        }
        guard isEncrypted else { return lines + ["written unencrypted: \(target)"] }
        return lines + [
            "encrypted: \(VolumeText.describe(target))",
            "open it: healthvault decrypt \(ShellQuoting.quote(VolumeText.start(target))) -o FOLDER",
        ]
    }

    /// The lines about what is missing.
    package var lacking: [TerminalText] {
        isExport
            ? SourceWarningText.lacking(manifest) : MissingPartsText.describe(manifest, isArchive: true)
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", target)
            writer.member("encrypted", isEncrypted)
            writer.member("samples", manifest.sampleCount)
            writer.member("typeCount", manifest.typeCount)
            manifest.writeStarts(&writer)
            writer.member("fileCount", summary.files)
            writer.member("bytes", summary.size)
            writer.key("seconds")
            writer.decimal(summary.seconds, digits: 3)
            writer.member("peakMemoryBytes", CurrentProcess.peakMemory)
            writer.member("truncated", manifest.isTruncated)
            if let left = summary.leftOut {
                writer.key("leftOut")
                writer.object { writer in
                    writer.member("elements", left.elements)
                    writer.member("files", left.files)
                }
            }
            SourceWarningText.write(skipped: manifest.skipped, &writer)
            if isExport {
                SourceWarningText.write(warningsOf: manifest, of: source, &writer)
            } else {
                writer.member("warnings", lacking.map(\.text))
            }
            writer.member("absentTypes", summary.absentTypes)
            writer.member("formats", objects: summary.formats) { format, writer in
                writer.member("format", format.format)
                if let units = format.units { writer.member("units", units) }
                for (name, counts) in [("notKept", format.notKept), ("asText", format.asText)] {
                    writer.key(name)
                    writer.object { writer in
                        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
                            writer.member(kind, count)
                        }
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
