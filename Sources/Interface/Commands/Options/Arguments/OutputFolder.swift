import AppleHealthExport
import HealthVault
package import SystemIO

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
