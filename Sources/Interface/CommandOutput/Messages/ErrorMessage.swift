import AppleHealthExport
import CommandLineKit
import HealthAnalytics
import HealthQueries
package import HealthVault
package import JSONText
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

    /// Creates the message for an error that describes itself.
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
                error.error.isAboutDevice ? "if the drive was disconnected, reconnect it; " : ""
            let hint =
                drive + "progress is kept: resume with the same command, or with "
                + "'healthvault session resume \(error.session)'"
            self.init(error.error, (hint, VaultText.advice(error.error).status))
        case let error as ContainerError: self.init(error, ContainerText.advice(error.code))
        case let error as PassphraseProblem: self = PassphraseText.describe(error)
        case let error as PassphraseListError: self = error.message
        case let error as SystemError: self.init(error, SystemText.advice(error))
        case let error as DestinationError: self = DestinationText.describe(error)
        case let error as Absence:
            self.init("\(error.path): contains no \(error.what)", hint: error.hint, .notFound)
        case let error as OutputIsFolder:
            self.init(
                "\(error.path): is an existing folder",
                hint: "to write into it, use -o \(ShellQuoting.quote(error.suggestion))", .targetExists)
        case let error as ExistingFile:
            self.init(
                "\(error.path): already exists",
                hint: "choose another name with \(error.option), or use --overwrite", .targetExists)
        case let error as MissingFolder:
            self.init(
                "\(error.path): no such folder",
                hint: "connect its drive, or create it: mkdir -p \(ShellQuoting.quote(error.path))", .notFound
            )
        case let error as UnreadableRecording:
            self.init(
                "\(error.path): \(error.file.path) cannot be read: \(error.file.error)",
                hint: "'healthvault ecg list' lists the readable ones", .damaged)
        case let error as IncrementError: self.init(error, ExportErrorText.advice(error))
        case let error as RecordedExportError: self.init(error, ExportErrorText.advice(error))
        case let error as RecoveryError: self.init(error, ExportErrorText.advice(error))
        case let error as AnalyticsError: self.init(error, AnalyticsText.advice(error))
        case let error as SyncError: self.init(error, SyncText.advice(error))
        case let error as StoreAnchorError:
            self.init(error, ("--since also takes the earlier export or archive itself", .failed))
        case let error as QueryError: self.init(error, QueryText.advice(error))
        default:
            self.init(
                "internal error", hint: "please report this", .failed)
        }
    }

    /// Prints the message on standard error, after the name of the tool, and then the hint.
    package func show(as tool: TerminalText = "healthvault") {
        Console.log("\(tool): \(message)")
        if !hint.isEmpty { Console.log(hint) }
    }

    /// Returns with which archive something could not be done, and why; the reason may be another one that it continues.
    package static func describe(_ failure: ArchiveFailure) -> TerminalText {
        failure.path == failure.error.path ? "\(failure.error)" : "\(failure.path): \(failure.error)"
    }

    /// Writes with which of several archives something could not be done.
    package static func write(_ failures: [ArchiveFailure], _ writer: inout JSONWriter) {
        writer.member("failures", objects: failures) { failure, writer in
            let message = ErrorMessage(failure.error)
            writer.member("path", failure.path)
            writer.member("code", message.status.code)
            writer.member("message", message.message.text)
        }
    }

    /// Shows the message as JSON, for programs.
    package func showJSON() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("error")
            writer.object { writer in
                writer.member("code", status.code)
                writer.member("message", message.text)
                writer.member("hint", hint.text)
            }
        }
        Console.log(json: String(decoding: writer.bytes, as: UTF8.self))
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
                case Console.outputName: "finished, but the output could not be written"
                case Console.streamName: "free some space and start over; the output is incomplete"
                default: "free some space or choose another drive"
                }
            return (hint, .noSpace)
        }
        if error.isLocked { return ("wait until it finishes, or stop it", .inUse) }
        if error.isReplaced {
            return ("nothing was changed; try again when the other process has finished", .inUse)
        }
        if error.isAboutDevice {
            return ("the drive may be disconnected or failing; reconnect it, or use another one", .failed)
        }
        if error.isReadOnly {
            return (
                "choose another place, or remount it read-write; a failing drive can become read-only",
                .failed
            )
        }
        if error.isNotFileOrFolder {
            return ("use a regular file or folder, not a pipe or device", .unsupported)
        }
        if error.isMissing { return ("check the path", .notFound) }
        if error.isExisting { return ("choose another name", .targetExists) }
        if error.isPermissionDenied {
            return ("check who may use it ('ls -ld'), or choose another place", .failed)
        }
        return ("", .failed)
    }
}

/// Messages for problems with a passphrase.
package enum PassphraseText {
    package static func describe(_ problem: PassphraseProblem) -> ErrorMessage {
        switch problem {
        case .noTerminal(let option):
            ErrorMessage(
                "no terminal to ask for the passphrase",
                hint: "use --\(option)-file, --\(option)-fd or --\(option)-command", .usage)
        case .nowhereToShow:
            ErrorMessage(
                "no terminal to show the passphrase on",
                hint: "use --passphrase-file, --passphrase-fd or --passphrase-command instead",
                .usage)
        case .notEntered: ErrorMessage("no passphrase entered", .usage)
        case .different: ErrorMessage("passphrases do not match", .usage)
        case .tooShort:
            ErrorMessage(
                "the passphrase has fewer than 8 bytes",
                hint: "five or six random words are strong and easy to write down", .usage)
        case .commandFailed(let status):
            ErrorMessage("the passphrase command failed with status \(status)", .failed)
        case .unusable(let problem): ErrorMessage("the passphrase \(describe(problem))", .usage)
        }
    }

    static func describe(_ problem: Passphrase.Problem) -> TerminalText {
        switch problem {
        case .empty: "is empty"
        case .tooLong: "is longer than \(Passphrase.longest) bytes"
        case .notUTF8: "is not UTF-8"
        case .controlCharacter: "contains a control character; only one line is read"
        case .unassigned: "contains a character that is not assigned in this program's Unicode tables"
        case .outOfMemory: "does not fit into locked memory"
        }
    }
}
