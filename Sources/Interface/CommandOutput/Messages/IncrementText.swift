package import HealthVault
package import SystemIO

/// The messages of exports that continue an archive.
package enum IncrementText {
    /// Returns why a full archive is written instead.
    package static func describe(_ reason: Increment.Reason) -> TerminalText {
        switch reason {
        case .longChain:
            "writing a full archive: the chain has reached its limit of \(Increment.longestChain) archives"
        case .mostChanged:
            "writing a full archive: more than half of the newest one has changed"
        case .part: "writing a full archive: the newest one contains only part of an export"
        case .otherBatching:
            "writing a full archive: the newest one was made by another version of this program"
        }
    }

    /// Asks on the terminal whether to use an export that looks like another person's.
    ///
    /// - Returns: false if there is no terminal, or the answer is anything but yes.
    package static func confirm(_ sign: ForeignSign) -> Bool {
        let doubt: TerminalText =
            switch sign {
            case .person: "the date of birth or sex in this export differs from the archive's"
            case .sources: "this export shares no device or app with the archive"
            case .samples: "this export shares hardly any samples with the archive"
            }
        Console.log("warning: \(doubt)")
        return Terminal.confirm(question: "Is this export from the same person? (yes or no) ")
    }
}
