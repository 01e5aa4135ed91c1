package import ByteText
package import SystemIO
package import VaultCrypto
import Wording

/// A list of passphrases that cannot be used, said without any of its text.
package struct PassphraseListError: Sendable, Equatable {
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
}

extension PassphraseListError: WordedError {
    /// What it means.
    package var kind: ErrorKind { if case .noSuchArchive = problem { .notFound } else { .usage } }

    /// What is wrong, and in which line.
    package var words: TerminalText {
        switch problem {
        case .tooLarge: "\(path): too large for a list of passphrases"
        case .malformedLine(let line): "\(path): line \(line) is not an archive, a tab and a passphrase"
        case .unusablePassphrase(let line, let problem):
            "\(path): the passphrase in line \(line) \(problem.words)"
        case .repeatedArchive(let line): "\(path): line \(line) names an archive for a second time"
        case .noSuchArchive(let archive): "\(path): names \(archive), which is not an archive in the folder"
        }
    }

    /// What to do next.
    package var advice: TerminalText {
        switch problem {
        case .tooLarge, .unusablePassphrase: ""
        case .malformedLine:
            "write the path of each archive from the folder on, a tab, and its passphrase"
        case .repeatedArchive: "remove one of the lines"
        case .noSuchArchive: "write the path of each archive from the folder on"
        }
    }
}
