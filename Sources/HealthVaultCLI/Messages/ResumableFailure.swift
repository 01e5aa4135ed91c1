import HealthVault

/// An export that ended before its time and can be continued.
struct ResumableFailure: Error, Sendable {
    let error: VaultError
    let session: BulkExportSessionIdentifier
}
