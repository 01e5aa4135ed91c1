import HealthVault
import SystemIO

/// Why there is no session to work on.
enum SessionErrorText {
    static func describe(_ error: SessionError, _ name: BytePath) -> ErrorMessage {
        switch error {
        case .noSuchSession:
            ErrorMessage(
                "\(name): no such session", hint: "see them with 'healthvault session list'", .notFound)
        case .inUse:
            ErrorMessage(
                "\(name): in use by another process", hint: "wait until it is done, or stop it", .inUse)
        case .invalidIdentifier:
            ErrorMessage(
                "\(name): no name for a session",
                hint: "up to 100 letters, digits, dots, hyphens and underscores, starting with a letter",
                .usage)
        case .unreadableState:
            ErrorMessage(
                "\(name): what is kept of the session is damaged, or of a newer version",
                hint: "the export itself can still be continued by its command", .damaged)
        case .sourceChanged:
            ErrorMessage(
                "\(name): the source has changed since the session was begun",
                hint: "give it back, or start over under this name with 'healthvault export --restart'",
                .failed)
        case .conflictingSessionAlreadyExists, .differentOptions, .startAfterEnd, .isRunning:
            ErrorMessage("\(name): a session for something else", .usage)
        }
    }
}
