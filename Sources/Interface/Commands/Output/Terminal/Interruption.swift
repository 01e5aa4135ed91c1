import HealthVault
package import SystemIO
import Wording

/// The handling of requests to stop a command.
package enum Interruption {
    /// Returns whether a stop was requested.
    package static let isRequested: @Sendable () -> Bool = { CurrentProcess.interruption != nil }

    private static func catchInterruption(_ second: TerminalText) {
        let first: TerminalText = "stopping; press Ctrl-C again to stop at once"
        CurrentProcess.catchInterruption(saying: first.text, then: second.text)
    }

    /// Ensures that a command interrupted from now on removes its output before it ends.
    ///
    /// - Parameter target: The archive, folder or file that the command writes.
    package static func removeOutput(of target: BytePath, isEncrypted: Bool = false) {
        let unfinished = UnfinishedOutput.path(forTarget: target, isEncrypted: isEncrypted)
        let quoted = ShellQuoting.quote(unfinished)
        let left: TerminalText =
            isEncrypted
            ? "\(unfinished) may remain: remove it with 'rm \(quoted)'"
            : "unencrypted files may remain in \(unfinished): remove them with 'rm -r \(quoted)'"
        catchInterruption("stopped at once; \(left), or run the command again")
    }

    /// Ensures that a command interrupted from now on ends between two steps, so that it can be continued.
    package static func keepProgress() {
        catchInterruption("stopped at once: run the same command to continue")
    }

    /// Ensures that a command interrupted from now on keeps its output, so it can be resumed.
    ///
    /// - Parameter target: The archive or folder that the command writes.
    package static func keepOutput(of target: BytePath, isEncrypted: Bool) {
        let unfinished = UnfinishedOutput.path(forTarget: target, isEncrypted: isEncrypted)
        let kind: TerminalText = isEncrypted ? "" : ", unencrypted"
        catchInterruption(
            "stopped at once; what was written is in \(unfinished)\(kind): run the same command to resume"
        )
    }
}
