import AppleHealthExport
import CommandLineKit
import HealthQueries
import HealthVault
package import SystemIO
import VaultContainer
import VaultCrypto

/// The message for an error: what happened and where, what to do next, and the exit status.
package struct ErrorMessage {
    package let message: TerminalText
    package let hint: TerminalText
    package let status: ExitStatus

    package init(_ message: TerminalText, hint: TerminalText = "", _ status: ExitStatus) {
        self.message = message
        self.hint = hint
        self.status = status
    }

    /// The message for an error that describes itself.
    package init(_ error: some Error & CustomStringConvertible, _ advice: Advice) {
        self.init("\(error)", hint: advice.hint, advice.status)
    }

    package init(_ error: any Error) {
        switch error {
        case let error as UsageError:
            // The message quotes the command line, and is escaped here.
            self.init("\(error.message)", hint: "\(error.hint)", .usage)
        case let error as VaultError: self.init(error, VaultText.advice(error))
        case let error as ResumableFailure:
            let drive: TerminalText =
                error.error.isAboutDevice ? "if the drive was disconnected, connect it again. " : ""
            let hint =
                drive + "what was done is kept: go on with the same command, or with "
                + "'healthvault session resume \(error.session)'"
            self.init(error.error, (hint, VaultText.advice(error.error).status))
        case let error as ContainerError: self.init(error, ContainerText.advice(error.code))
        case let error as PassphraseProblem: self = PassphraseText.describe(error)
        case let error as SystemError: self.init(error, SystemText.advice(error))
        case let error as DestinationError: self = DestinationText.describe(error)
        case let error as Absence:
            self.init("\(error.path): holds no \(error.what)", hint: error.hint, .notFound)
        case let error as UnreadableRecording:
            self.init(
                "\(error.path): \(error.file.path) cannot be read: \(error.file.error)",
                hint: "list those that can be read with 'healthvault ecg list'", .damaged)
        case let error as StatisticsError: self.init(error, StatisticsText.advice(error))
        default:
            self.init(
                "failed for a reason that should not occur", hint: "please report how it came about", .failed)
        }
    }

    package func show() {
        Console.log("healthvault: \(message)")
        if !hint.isEmpty { Console.log(hint) }
    }
}

/// What to do about an error, and the exit status.
package typealias Advice = (hint: TerminalText, status: ExitStatus)

/// Advice on errors of the system.
package enum SystemText {
    package static func advice(_ error: SystemError) -> Advice {
        if error.isOutOfSpace {
            let hint: TerminalText =
                switch error.path {
                case Console.outputName: "what was asked for is done, but nobody was told"
                case Console.streamName: "make room, and start over; what was written is a part of it only"
                default: "make room or choose another drive; nothing was left behind"
                }
            return (hint, .noSpace)
        }
        if error.isLocked { return ("wait until it is done, or stop it", .inUse) }
        if error.isReplaced {
            return ("nothing was changed; start again when the other one is done", .inUse)
        }
        if error.isAboutDevice {
            return ("the drive may be disconnected or failing: connect it again, or use another one", .failed)
        }
        if error.isReadOnly {
            return (
                "choose another place, or mount it for writing; the system does this to a drive that fails",
                .failed
            )
        }
        if error.isNotFileOrFolder { return ("give a file or folder, no pipe or device", .unsupported) }
        if error.isMissing { return ("check the path", .notFound) }
        if error.isExisting { return ("choose another name", .targetExists) }
        return ("", .failed)
    }
}

/// Messages for problems with a passphrase.
package enum PassphraseText {
    package static func describe(_ problem: PassphraseProblem) -> ErrorMessage {
        switch problem {
        case .noTerminal:
            ErrorMessage(
                "there is no terminal to ask for the passphrase",
                hint: "use --passphrase-file, --passphrase-fd or --passphrase-command", .usage)
        case .nowhereToShow:
            ErrorMessage(
                "there is no terminal to show the passphrase on",
                hint: "--generate-passphrase is for people; give one with --passphrase-file, -fd or -command",
                .usage)
        case .notEntered: ErrorMessage("no passphrase was entered", .usage)
        case .different: ErrorMessage("the two passphrases differ", hint: "start again", .usage)
        case .tooShort:
            ErrorMessage(
                "the passphrase is shorter than 8 bytes",
                hint: "five or six random words are strong and easy to write down", .usage)
        case .commandFailed(let status):
            ErrorMessage("the passphrase command ended with status \(status)", .failed)
        case .unusable(let problem): ErrorMessage("the passphrase \(describe(problem))", .usage)
        }
    }

    private static func describe(_ problem: Passphrase.Problem) -> TerminalText {
        switch problem {
        case .empty: "is empty"
        case .tooLong: "is longer than \(Passphrase.longest) bytes"
        case .notUTF8: "is no UTF-8 text"
        case .controlCharacter: "holds a control character; only one line is read"
        case .unassigned: "holds a character that is not assigned in the Unicode tables of this program"
        case .outOfMemory: "finds no memory"
        }
    }
}
