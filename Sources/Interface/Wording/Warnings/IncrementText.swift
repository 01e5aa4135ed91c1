package import HealthVault
package import SystemIO

/// The messages of exports that continue an archive.
package enum IncrementText {
    /// Returns why a full archive is written instead.
    package static func describe(_ reason: Increment.Reason) -> TerminalText {
        switch reason {
        case .longChain:
            "writing a full archive: the chain has reached its limit of \(Increment.longestChain) archives"
        case .mostChanged(let percent):
            "writing a full archive: what has changed would take \(percent) % of its size"
        case .part: "writing a full archive: the newest one contains only part of an export"
        case .otherBatching:
            "writing a full archive: the newest one was made by another version of this program"
        case .olderExport: "writing an archive of its own: the export is older than the newest archive"
        }
    }
}
