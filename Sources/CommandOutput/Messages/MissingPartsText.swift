package import HealthVault
package import SystemIO

/// Messages about what an export lacks.
package enum MissingPartsText {
    /// Returns the messages about what is missing according to a manifest.
    ///
    /// - Parameter isArchive: Whether it is an archive, which another one may continue.
    package static func describe(_ manifest: Manifest, isArchive: Bool) -> [TerminalText] {
        var lines: [TerminalText] = manifest.damagedFiles.map { name in
            "warning: \(name) was damaged in the source; only a part of it is here"
        }
        lines += FailedBatchText.describe(manifest.failedBatches)
        if manifest.isMendable, isArchive {
            lines.append(
                "a further archive beside it, made by 'healthvault session retry', may hold what is missing: "
                    + "that one is read together with this one")
        }
        return lines
    }
}
