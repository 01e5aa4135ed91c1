package import HealthVault
package import SystemIO

extension IncrementError: WordedError {
    /// What to do next.
    package var advice: TerminalText {
        switch doubt {
        case .older:

            "use the latest export; without --incremental it becomes an archive of its own, as on a terminal if you confirm it"
        default:

            "export without --incremental or to another destination; on a terminal you can confirm that the person is the same"
        }
    }
}

extension ResumableFailure: WordedError {
    /// What happened.
    package var words: TerminalText { error.words }
    /// How to go on.
    package var advice: TerminalText {
        let drive: TerminalText =
            error.isAboutDevice ? "if the drive was disconnected, reconnect it; " : ""
        return drive + "progress is kept: resume with the same command, or with "
            + "'healthvault session resume \(session.text)'"
    }
}

extension RecordedExportError: WordedError {
    /// What to do next.
    package var advice: TerminalText {
        switch code {
        case .otherOptions: "choose another name, or start over"
        case .unfinished(let session):

            "finish it with 'healthvault session resume \(session.text)', delete it with 'healthvault session delete \(session.text)', or choose another name with -o"
        case .outputMissing:
            "put it back, or delete the session with 'healthvault session delete'"
        case .outputCut: "use another copy if you have one; --overwrite exports the source again"
        case .otherOutput: "move it away, or export to another name"
        case .noSuchSession: "'healthvault session list' shows all sessions"
        case .invalidIdentifier:

            "use up to 100 letters, digits, dots, hyphens and underscores, not starting with a dot or hyphen"
        case .inUse: "wait until it finishes, or stop it"
        case .unreadableRecord: "the export itself can still be resumed by its original command"
        }
    }
}
