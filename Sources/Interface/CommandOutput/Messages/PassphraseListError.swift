package import SystemIO
package import VaultCrypto

/// A list of passphrases that cannot be used, said without any of its text.
package struct PassphraseListError: Error, Sendable, Equatable {
    /// What is wrong.
    package enum Problem: Error, Sendable, Equatable {
        case tooLarge
        /// A line, by its number, that is not an archive, a tab and a passphrase.
        case malformedLine(Int)
        /// A line whose text is no passphrase.
        case unusablePassphrase(Int, Passphrase.Problem)
        /// A line whose archive an earlier one has already.
        case repeatedArchive(Int)
        /// An archive that is not in the folder.
        case noSuchArchive(BytePath)
    }

    /// The list.
    package let path: BytePath
    package let problem: Problem

    /// Creates the error.
    package init(path: BytePath, problem: Problem) {
        self.path = path
        self.problem = problem
    }

    /// The message for it.
    var message: ErrorMessage {
        switch problem {
        case .tooLarge: ErrorMessage("\(path): too large for a list of passphrases", .usage)
        case .malformedLine(let line):
            ErrorMessage(
                "\(path): line \(line) is not an archive, a tab and a passphrase",
                hint: "write the path of each archive from the folder on, a tab, and its passphrase", .usage)
        case .unusablePassphrase(let line, let problem):
            ErrorMessage(
                "\(path): the passphrase in line \(line) \(PassphraseText.describe(problem))", .usage)
        case .repeatedArchive(let line):
            ErrorMessage(
                "\(path): line \(line) names an archive for a second time", hint: "remove one of the lines",
                .usage)
        case .noSuchArchive(let archive):
            ErrorMessage(
                "\(path): names \(archive), which is not an archive in the folder",
                hint: "write the path of each archive from the folder on", .notFound)
        }
    }
}
