package import ByteText
package import HealthQueries
package import SystemIO
import Wording

/// A source does not contain something that was requested.
package struct Absence: WordedError {
    package let path: BytePath
    /// What is missing.
    package let what: TerminalText
    /// What to do next.
    package let advice: TerminalText

    /// Creates the error.
    package init(path: BytePath, what: TerminalText, hint: TerminalText) {
        self.path = path
        self.what = what
        advice = hint
    }

    /// What it means.
    package var kind: ErrorKind { .notFound }
    /// What happened, and where.
    package var words: TerminalText { "\(path): contains no \(what)" }

}

/// The output is an existing folder with other contents.
package struct OutputIsFolder: WordedError {
    /// The folder.
    package let path: BytePath
    /// An output in the folder.
    package let suggestion: BytePath

    /// Creates the error.
    package init(path: BytePath, suggestion: BytePath) {
        self.path = path
        self.suggestion = suggestion
    }

    /// What it means.
    package var kind: ErrorKind { .targetExists }
    /// What happened, and where.
    package var words: TerminalText { "\(path): is an existing folder" }
    /// What to do next.
    package var advice: TerminalText { "to write into it, use -o \(ShellQuoting.quote(suggestion))" }
}

/// A file exists whose name an option other than `--output` gives.
package struct ExistingFile: WordedError {
    /// The file.
    package let path: BytePath
    /// The option.
    package let option: TerminalText

    /// Creates the error.
    package init(path: BytePath, option: TerminalText) {
        self.path = path
        self.option = option
    }

    /// What it means.
    package var kind: ErrorKind { .targetExists }
    /// What happened, and where.
    package var words: TerminalText { "\(path): already exists" }
    /// What to do next.
    package var advice: TerminalText { "choose another name with \(option), or use --overwrite" }
}

/// A requested electrocardiogram cannot be read.
package struct UnreadableRecording: WordedError {
    /// The source.
    package let path: BytePath
    /// The file in it.
    package let file: ElectrocardiogramList.Unreadable

    /// Creates the error.
    package init(path: BytePath, file: ElectrocardiogramList.Unreadable) {
        self.path = path
        self.file = file
    }

    /// What it means.
    package var kind: ErrorKind { .damaged }
    /// What happened, and where.
    package var words: TerminalText { "\(path): \(file.path) cannot be read: \(file.error)" }
    /// What to do next.
    package var advice: TerminalText { "'healthvault ecg list' lists the readable ones" }
}

/// The folder for an output does not exist.
package struct MissingFolder: WordedError {
    /// The folder.
    package let path: BytePath

    /// Creates the error.
    package init(path: BytePath) { self.path = path }

    /// What it means.
    package var kind: ErrorKind { .notFound }
    /// What happened, and where.
    package var words: TerminalText { "\(path): no such folder" }
    /// What to do next.
    package var advice: TerminalText {
        "connect its drive, or create it: mkdir -p \(ShellQuoting.quote(path))"
    }
}
