package import SystemIO
package import VaultCrypto

extension SystemError: WordedError {
    /// What to do next.
    package var advice: TerminalText {
        if isOutOfSpace {
            return switch path {
            case StandardStreams.output: "finished, but the output could not be written"
            case StandardStreams.archive: "free some space and start over; the output is incomplete"
            default: "free some space or choose another drive"
            }
        }
        if isLocked { return "wait until it finishes, or stop it" }
        if isReplaced { return "nothing was changed; try again when the other process has finished" }
        if isAboutDevice {
            return "the drive may be disconnected or failing; reconnect it, or use another one"
        }
        if isReadOnly {
            return "choose another place, or remount it read-write; a failing drive can become read-only"
        }
        if isNotFileOrFolder { return "use a regular file or folder, not a pipe or device" }
        if isMissing { return "check the path" }
        if isExisting { return "choose another name, or move it away" }
        return isPermissionDenied ? "check who may use it ('ls -ld'), or choose another place" : ""
    }
}

/// The names of standard output in errors.
package enum StandardStreams {
    /// For results.
    package static let output: BytePath = "standard output"
    /// For an archive as a stream.
    package static let archive: BytePath = "standard output, a tar stream"
}

extension PassphraseProblem: WordedError {
    /// What is wrong.
    package var words: TerminalText {
        switch self {
        case .noTerminal: "no terminal to ask for the passphrase"
        case .nowhereToShow: "no terminal to show the passphrase on"
        case .notEntered: "no passphrase entered"
        case .different: "passphrases do not match"
        case .tooShort: "the passphrase has fewer than 8 bytes"
        case .commandFailed(let status): "the passphrase command failed with status \(status)"
        case .unusable(let problem): "the passphrase \(problem.words)"
        }
    }

    /// What to do next.
    package var advice: TerminalText {
        switch self {
        case .noTerminal("passphrase"): "use --passphrase-file, --passphrase-fd or --passphrase-command"
        case .noTerminal(let option): "use --\(option)-file"
        case .nowhereToShow: "use --passphrase-file, --passphrase-fd or --passphrase-command instead"
        case .tooShort: "five or six random words are strong and easy to write down"
        case .notEntered, .different, .commandFailed, .unusable: ""
        }
    }
}

extension Passphrase.Problem: WordedError {
    /// What is wrong, as the rest of a sentence about a passphrase.
    package var words: TerminalText {
        switch self {
        case .empty: "is empty"
        case .tooLong: "is longer than \(Passphrase.longest) bytes"
        case .notUTF8: "is not UTF-8"
        case .controlCharacter: "contains a control character; only one line is read"
        case .unassigned: "contains a character that is not assigned in this program's Unicode tables"
        case .outOfMemory: "does not fit into locked memory"
        }
    }

    /// What to do next.
    package var advice: TerminalText { "" }
}
