package import HealthVault
import SystemIO

/// Advice where there is no session to work on.
package enum SessionErrorText {
    package static func advice(_ error: SessionError) -> Advice {
        switch error {
        case .noSuchSession: ("see them with 'healthvault session list'", .notFound)
        case .inUse: ("wait until it is done, or stop it", .inUse)
        case .invalidIdentifier:
            (
                "up to 100 letters, digits, dots, hyphens and underscores, and no dot or hyphen at the start",
                .usage
            )
        case .unreadableState: ("the export itself can still be continued by its command", .damaged)
        case .sourceChanged:
            (
                "give it back, or start over under this name with 'healthvault export --restart'",
                .failed
            )
        case .conflictingSessionAlreadyExists, .differentOptions, .startAfterEnd, .isRunning: ("", .usage)
        }
    }
}
