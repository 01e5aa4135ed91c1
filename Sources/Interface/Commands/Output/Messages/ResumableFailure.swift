package import ByteText
package import HealthVault
package import SystemIO
import Wording

/// An export that ended early and can be continued.
package struct ResumableFailure: WordedError {
    package let error: VaultError
    package let session: BulkExportSessionIdentifier

    /// Creates the error.
    package init(error: VaultError, session: BulkExportSessionIdentifier) {
        self.error = error
        self.session = session
    }

    /// What it means.
    package var kind: ErrorKind { error.kind }
    /// What happened.
    package var words: TerminalText { error.words }
    /// How to go on.
    package var advice: TerminalText {
        let drive: TerminalText =
            error.isAboutDevice ? "if the drive was disconnected, reconnect it; " : ""
        return drive + "progress is kept: resume with the same command, or with "
            + "'healthvault session resume \(session)'"
    }
}
