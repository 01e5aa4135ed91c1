import HealthVault

/// An export that ended early and can be continued.
struct ResumableFailure: Error, Sendable {
    let error: VaultError
    let session: BulkExportSessionIdentifier
}
