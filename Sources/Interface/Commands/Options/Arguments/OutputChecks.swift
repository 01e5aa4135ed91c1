import AppleHealthExport
package import CommandLineKit
import HealthVault
package import SystemIO

/// The check of output names.
package enum OutputName {
    /// Checks the name of an output.
    ///
    /// - Parameters:
    ///   - isArchive: Whether the output is an encrypted archive, or the command checks that itself.
    ///   - option: The option that names the output.
    /// - Throws: `UsageError` for `-`, which elsewhere means a stream: a file with that name is never intended; and for the
    ///   name of an archive, because nothing else may look as if it were encrypted.
    package static func validate(
        _ name: BytePath?, isArchive: Bool = false, option: String = "-o",
        hint: String = "use the name of a file or folder; ./- is a file named '-'"
    ) throws(UsageError) {
        guard name != "-" else {
            throw UsageError(
                .invalidCombination, "\(option) - is not possible: the output cannot be a stream",
                hint: hint)
        }
        guard let name, !isArchive, name.withoutTrailingSlashes.hasExtension(".hvault") else { return }
        throw UsageError(
            .invalidCombination, "'\(name)' looks like an encrypted archive, but is not going to be one",
            hint: "choose another name")
    }
}

/// A check for outputs that are folders with other contents, such as a drive.
package enum OutputFolder {
    /// Checks that an output is not an existing folder with other contents; the user may have meant a name in that
    /// folder.
    ///
    /// - Parameters:
    ///   - target: The output.
    ///   - source: The source, for which later checks have better messages.
    ///   - name: The name to suggest for an output in the folder.
    ///   - isReplaced: Whether to replace an existing export folder, which later checks handle.
    /// - Throws: `OutputIsFolder`; `MissingFolder`.
    package static func check(
        _ target: BytePath, source: BytePath, suggesting name: BytePath, isReplaced: Bool
    ) throws {
        try makeIfAgreed(target.parent)
        guard !isReplaced, let status = try? FileStatus(at: target), status.kind == .folder,
            Inspector.kind(of: target) != .plainFolder,
            (try? FileStatus(at: source))?.isSameFile(as: status) != true
        else { return }
        throw OutputIsFolder(path: target, suggestion: target.withoutTrailingSlashes / name)
    }

    /// Offers to create a folder that does not exist.
    ///
    /// - Throws: `MissingFolder` if there is no terminal to ask on, or the answer is no.
    package static func makeIfAgreed(_ folder: BytePath) throws {
        guard !folder.isEmpty, (try? FileStatus(at: folder)) == nil else { return }
        let question: TerminalText = "\(folder) does not exist. Create it? (yes or no) "
        guard Terminal.confirm(question: question.text) else { throw MissingFolder(path: folder) }
        try Folder.makeAll(folder)
    }
}
