import ByteText
package import HealthVault
package import SystemIO
import Wording

/// The report at the end of a decryption into a plain folder.
package struct DecryptionReport {
    let summary: Decryptor.Summary
    let target: BytePath

    /// Creates the report.
    package init(summary: Decryptor.Summary, target: BytePath) {
        self.summary = summary
        self.target = target
    }

    /// The lines about what is missing.
    private var lacking: [TerminalText] {
        if summary.isManifestUnreadable {
            return ["warning: the manifest cannot be read, so nothing shows whether something is missing"]
        }
        return summary.manifest.map { MissingPartsText.describe($0, isArchive: true) } ?? []
    }

    package func show() {
        for line in lacking { Console.log(line) }
        let (files, size) = (Quantities.count(summary.files, "file"), Quantities.bytes(summary.size))
        Console.log("\(files), \(size) in \(Quantities.seconds(summary.seconds))")
        Console.log("written unencrypted: \(target)")
    }

    package var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", target)
            writer.member("encrypted", false)
            if let manifest = summary.manifest {
                writer.member("samples", manifest.sampleCount)
                writer.member("typeCount", manifest.typeCount)
            }
            writer.member("fileCount", summary.files)
            writer.member("bytes", summary.size)
            writer.key("seconds")
            writer.decimal(summary.seconds, digits: 3)
            writer.member("warnings", warnings)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private var warnings: [String] {
        let all = summary.predecessorWarnings.values.reduce(summary.warnings) { $0.union($1) }
        return all.map(\.rawValue).sorted() + lacking.map(\.text)
    }
}
