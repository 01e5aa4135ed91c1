package import HealthVault
package import SystemIO
import Wording

/// The questions and warnings of exports to destinations.
package enum DriveExportText {
    /// Asks on the terminal whether to go on in spite of a doubt.
    ///
    /// - Returns: false if there is no terminal, or the answer is anything but yes.
    package static func agree(to doubt: DriveExportDoubt) -> Bool {
        let (warning, question) = wording(of: doubt)
        if let warning { Console.log("warning: \(warning)") }
        return Console.confirm(question)
    }

    /// Returns the warning, unless a later one tells what was decided, and the question.
    private static func wording(
        of doubt: DriveExportDoubt
    ) -> (warning: TerminalText?, question: TerminalText) {
        switch doubt {
        case .foreignExport(.person):
            (
                "the date of birth or sex in this export differs from the archive's",
                "Is this export from the same person?"
            )
        case .foreignExport(.sources):
            (
                "this export shares no device or app with the archive",
                "Is this export from the same person?"
            )
        case .foreignExport(.samples):
            (
                "this export shares hardly any samples with the archive",
                "Is this export from the same person?"
            )
        case .olderExport(let archive):
            (
                "this export is older than the newest one in \(archive), which it cannot continue",
                "Write it as an archive of its own?"
            )
        case .removal(let path, let doubt): (nil, "\(path) \(reason(doubt)). Remove it?")
        }
    }

    /// Returns the warning about an export beyond the number to keep that was not removed.
    package static func describe(_ path: BytePath, _ doubt: Pruning.Doubt) -> TerminalText {
        "warning: not removed: \(path) \(reason(doubt))"
    }

    private static func reason(_ doubt: Pruning.Doubt) -> TerminalText {
        switch doubt {
        case .isNewer: "has a newer export than the one just written"
        case .isUnreadable:
            "cannot be compared with the newer ones: this passphrase does not open it, or it is damaged"
        case .hasMore(let lack):
            if lack.samples == 0 {
                "has \(Quantities.count(lack.files, "file")) that the newer ones lack"
            } else {
                "has \(Quantities.count(lack.samples, "sample")) that the newer ones lack; --incremental keeps such samples"
            }
        }
    }
}
