package import HealthVault
import SystemIO

/// Advice on errors of sessions.
package enum SessionErrorText {
    package static func advice(_ error: SessionError) -> Advice {
        switch error {
        case .noSuchSession: ("'healthvault session list' shows all sessions", .notFound)
        case .inUse: ("wait until it finishes, or stop it", .inUse)
        case .invalidIdentifier:
            (
                "use up to 100 letters, digits, dots, hyphens and underscores, not starting with a dot or hyphen",
                .usage
            )
        case .unreadableState: ("the export itself can still be resumed by its original command", .damaged)
        case .sourceChanged:
            (
                "restore the old source, or start over with 'healthvault export --restart'",
                .failed
            )
        case .conflictingSessionAlreadyExists, .differentOptions, .startAfterEnd, .isRunning: ("", .usage)
        }
    }
}
