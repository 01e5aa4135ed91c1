import AppleHealthExport
import CommandOutput
import HealthVault
import SystemIO

/// Checks outputs that are folders of other things, such as a drive.
enum OutputFolder {
    /// Checks that an output is not an existing folder with other contents, into which it may have been meant to go.
    ///
    /// - Parameters:
    ///   - target: The output.
    ///   - source: The source, about which later checks have better messages.
    ///   - name: The name that an output in the folder might have.
    ///   - isReplaced: Whether to replace an existing export folder, which later checks decide about.
    /// - Throws: `OutputIsFolder`.
    static func check(
        _ target: BytePath, source: BytePath, suggesting name: BytePath, isReplaced: Bool
    ) throws {
        guard !isReplaced, let status = try? FileStatus(at: target), status.kind == .folder,
            Inspector.kind(of: target) != .plainFolder,
            (try? FileStatus(at: source))?.isSameFile(as: status) != true
        else { return }
        throw OutputIsFolder(path: target, suggestion: target.withoutTrailingSlashes / name)
    }
}
