package import HealthVault
package import SystemIO

/// Messages about what an export lacks.
package enum MissingPartsText {
    /// Returns the messages about what is missing according to a manifest.
    ///
    /// - Parameter isArchive: Whether it is an archive, which another one may continue.
    package static func describe(_ manifest: Manifest, isArchive: Bool) -> [TerminalText] {
        var lines: [TerminalText] = []
        if manifest.isTruncated {
            lines.append(
                "warning: the source was truncated, or could not be read to its end; what followed is missing"
            )
        }
        lines += SourceWarningText.skipped(manifest.skipped)
        lines += manifest.damagedFiles.map { name in
            "warning: \(name) was damaged in the source; only part of it is here"
        }
        lines += FailedBatchText.describe(manifest.failedBatches)
        // Of a damaged source that was accepted, no part is exported again.
        let isRefused = manifest.isTruncated || !manifest.skipped.isEmpty
        if manifest.isMendable, isArchive, !isRefused {
            lines.append(
                "a later archive beside it, made by 'healthvault session resume', may contain what is missing; "
                    + "if so, use that one")
        }
        return lines
    }
}
