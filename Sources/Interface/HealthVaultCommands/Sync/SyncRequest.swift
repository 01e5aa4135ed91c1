import CommandOutput
import HealthVault
import SystemIO

/// A synchronisation with a target that a user has named: the only place of the command that connects to a server.
struct SyncRequest {
    private let target: TargetLocation
    private let credentials: ServerOptions
    var types: [AnySampleType]?
    var batch: Int?
    var isDry = false
    var isReset = false

    init(_ target: TargetLocation, _ credentials: ServerOptions) {
        self.target = target
        self.credentials = credentials
    }

    /// Opens the target, and brings it in step with a store.
    func run(_ store: any HealthStore) async throws -> SyncReport {
        switch target {
        case .sqlite(let path):
            return try await synchronize(store, SQLiteTarget(path: path, isReadOnly: isDry))
        case .folder(let path):
            return try await synchronize(store, FolderTarget(path: path, isReadOnly: isDry))
        case .postgreSQL(let location):
            return try await synchronize(store, PostgreSQLTarget(location, isReadOnly: isDry))
        case .fhir: throw SyncError(.notSupported)
        }
    }

    private func synchronize(
        _ store: any HealthStore, _ target: some TransactionalStore
    ) async throws -> SyncReport {
        let manager = SyncManager(batchSize: batch ?? self.target.batchSize)
        manager.delegate = InterruptedSync()
        var all = types ?? []
        if types == nil {
            // A type that the source no longer has may still be in the target.
            all = try await store.contents().types.map(\.type)
            all += try await target.anchoredTypes().filter { !all.contains($0) }
        }
        manager.add(all, to: target)
        if isReset { try await manager.reset() }
        return try await manager.synchronize(with: store, isDry: isDry)
    }
}

/// Stops a synchronisation between two batches when the command is interrupted.
private struct InterruptedSync: SyncDelegate {
    func willSynchronize(_ batch: SyncBatch) async throws {
        if Interruption.isRequested() { throw VaultError.interruptedResumably }
    }
}
