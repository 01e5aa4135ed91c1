package import HealthVault

/// An export that ended early and can be continued.
package struct ResumableFailure: Error, Sendable {
    package let error: VaultError
    package let session: BulkExportSessionIdentifier

    /// Creates the error.
    package init(error: VaultError, session: BulkExportSessionIdentifier) {
        self.error = error
        self.session = session
    }
}
