import HealthVault

/// Advice on errors of increments, sessions of exports, and recovery.
enum ExportErrorText {
    static func advice(_ error: IncrementError) -> Advice {
        switch error.doubt {
        case .older:
            (
                "use the latest export; without --incremental it becomes an archive of its own, as on a terminal if you confirm it",
                .usage
            )
        default:
            (
                "export without --incremental or to another destination; on a terminal you can confirm that the person is the same",
                .usage
            )
        }
    }

    static func advice(_ error: RecordedExportError) -> Advice {
        switch error.code {
        case .otherOptions: ("choose another name, or start over", .usage)
        case .unfinished(let session):
            (
                "finish it with 'healthvault session resume \(session.text)', delete it with 'healthvault session delete \(session.text)', or choose another name with -o",
                .targetExists
            )
        case .outputMissing:
            ("put it back, or delete the session with 'healthvault session delete'", .notFound)
        case .outputCut: ("use another copy if you have one; --overwrite exports the source again", .damaged)
        case .otherOutput: ("move it away, or export to another name", .targetExists)
        case .noSuchSession: ("'healthvault session list' shows all sessions", .notFound)
        case .invalidIdentifier:
            (
                "use up to 100 letters, digits, dots, hyphens and underscores, not starting with a dot or hyphen",
                .usage
            )
        case .inUse: ("wait until it finishes, or stop it", .inUse)
        case .unreadableRecord: ("the export itself can still be resumed by its original command", .damaged)
        }
    }

    static func advice(_ error: RecoveryError) -> Advice {
        switch error.code {
        case .nothingLeft: ("use another copy if you have one", .damaged)
        }
    }
}
