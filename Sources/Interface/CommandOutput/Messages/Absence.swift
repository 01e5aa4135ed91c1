package import HealthQueries
package import SystemIO

/// A source does not contain something that was requested.
package struct Absence: Error {
    package let path: BytePath
    /// What is missing.
    package let what: TerminalText
    /// What to do next.
    package let hint: TerminalText

    /// Creates the error.
    package init(path: BytePath, what: TerminalText, hint: TerminalText) {
        self.path = path
        self.what = what
        self.hint = hint
    }
}

/// The output is an existing folder with other contents.
package struct OutputIsFolder: Error {
    /// The folder.
    package let path: BytePath
    /// An output in the folder.
    package let suggestion: BytePath

    /// Creates the error.
    package init(path: BytePath, suggestion: BytePath) {
        self.path = path
        self.suggestion = suggestion
    }
}

/// A file exists whose name an option other than `--output` gives.
package struct ExistingFile: Error {
    /// The file.
    package let path: BytePath
    /// The option.
    package let option: TerminalText

    /// Creates the error.
    package init(path: BytePath, option: TerminalText) {
        self.path = path
        self.option = option
    }
}

/// A requested electrocardiogram cannot be read.
package struct UnreadableRecording: Error {
    /// The source.
    package let path: BytePath
    /// The file in it.
    package let file: ElectrocardiogramList.Unreadable

    /// Creates the error.
    package init(path: BytePath, file: ElectrocardiogramList.Unreadable) {
        self.path = path
        self.file = file
    }
}

/// The folder for an output does not exist.
package struct MissingFolder: Error {
    /// The folder.
    package let path: BytePath

    /// Creates the error.
    package init(path: BytePath) { self.path = path }
}
