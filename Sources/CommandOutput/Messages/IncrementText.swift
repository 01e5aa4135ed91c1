package import HealthVault
package import SystemIO

/// The messages of exports that continue an archive.
package enum IncrementText {
    /// Says why a full archive is made instead.
    package static func describe(_ reason: Increment.Reason) -> TerminalText {
        switch reason {
        case .longChain:
            "a full archive is written: \(Increment.longestChain) archives that depend on each other are enough"
        case .mostChanged:
            "a full archive is written: more than half of the newest one would be written again"
        case .part: "a full archive is written: the newest one holds only a part of an export"
        case .otherBatching:
            "a full archive is written: the newest one was made by another version of this program"
        }
    }

    /// Asks on the terminal whether an export that looks like another person's is to be used all the same.
    ///
    /// - Returns: false if there is no terminal, or the answer is anything but yes.
    package static func confirm(_ sign: ForeignSign) -> Bool {
        let doubt: TerminalText =
            switch sign {
            case .person: "the date of birth or the sex in this export is not that of the archive"
            case .sources: "no device or app of this export is in the archive"
            case .samples: "hardly any sample of the archive is in this export"
            }
        Console.log("warning: \(doubt)")
        return Terminal.confirm(question: "Is it of the same person? yes or no: ")
    }
}
