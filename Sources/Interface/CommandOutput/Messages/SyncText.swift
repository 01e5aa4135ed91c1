package import HealthVault
import SystemIO

/// Advice on synchronisations that fail.
package enum SyncText {
    package static func advice(_ error: SyncError) -> Advice {
        switch error.code {
        case .unavailable, .noSpecifiedTypes:
            ("'healthvault inspect' shows what a source contains", .notFound)
        case .operationCancelled: ("run the same command to continue", .interrupted)
        case .notSupported: ("", .unsupported)
        case .invalidTarget: ("'healthvault help sync' shows what a target looks like", .usage)
        case .passwordInTarget:
            ("put it into ~/.pgpass, passfile= or a service file, or a token into --token-file", .usage)
        case .inUse: ("wait until it finishes, or stop it", .inUse)
        case .doubtful(let doubt): SubjectText.advice(doubt)
        case .foreignTarget: ("use a new path, or one that 'sync' has filled", .targetExists)
        case .othersTarget:
            (
                "name a schema of your own: ?options=-csearch_path%3DSCHEMA at the end of the location",
                .targetExists
            )
        case .unreadableAnchors: ("--reset compares everything with the target again", .damaged)
        case .missingLibrary(let name):
            ("install it: sudo apt-get install \(TerminalText(escaping: name))", .failed)
        case .unreachable: ("run the same command to continue once it can be reached", .tryLater)
        case .missingToken: ("check --token-file or --token-command", .failed)
        case .refused: ("check the user, and the password or token", .failed)
        case .targetFailed, .unsuitable: ("what was done is kept: run the same command to continue", .failed)
        case .targetFull:
            ("free some space: what was done is kept, and the same command continues it", .noSpace)
        case .targetLocked: ("run the same command to continue once it is free", .inUse)
        case .targetDamaged: ("use a new target, which gets everything again", .damaged)
        }
    }
}
