import ByteText
import CommandLineKit
import HealthVault
import SystemIO
import VaultCrypto
import Wording

/// A synchronisation with a target that a user has named: the only place of the command that connects to a server.
struct SyncRequest {
    private let target: TargetLocation
    private let credentials: ServerOptions
    var types: [AnySampleType]?
    var batch: Int?
    var isDry = false
    var isReset = false
    var terms = SubjectTerms()

    init(_ target: TargetLocation, _ credentials: ServerOptions) {
        self.target = target
        self.credentials = credentials
    }

    /// Returns the people whose samples the target has.
    ///
    /// It is opened as it will be for a synchronisation: a database may have to be repaired after a crash.
    func subjects() async throws -> [Subject] { try await open(isReadOnly: false).subjects() }

    /// Opens the target, and brings it in step with a store.
    func run(_ store: any HealthStore) async throws -> SyncReport {
        var lock: FileDescriptor?
        if case .fhir(let base) = target, !isDry { lock = try Self.lock(base) }
        let opened = try open(isReadOnly: isDry)
        let report = try await synchronize(store, opened)
        try lock?.close()
        if let unmapped = await (opened as? FHIRTarget)?.unmapped, unmapped > 0 {
            Console.log("\(Quantities.count(unmapped, "sample")) without a FHIR resource left out")
        }
        return report
    }

    private func open(isReadOnly: Bool) throws -> any TransactionalStore {
        switch target {
        case .sqlite(let path): return try SQLiteTarget(path: path, isReadOnly: isReadOnly)
        case .folder(let path): return try FolderTarget(path: path, isReadOnly: isReadOnly)
        case .postgreSQL(let location): return try PostgreSQLTarget(location, isReadOnly: isReadOnly)
        case .fhir(let base):
            var mapper = FHIRMapper()
            if let subject = credentials.subject { mapper.subject = .reference(subject) }
            return try FHIRTarget(
                base: base, token: credentials.token(), authorities: credentials.authorities?.text,
                mapper: mapper, isReadOnly: isReadOnly)
        }
    }

    /// Locks a server, which cannot be locked itself, for this user of this computer.
    private static func lock(_ base: String) throws -> FileDescriptor {
        guard let folder = StateFolder.standard()?.path else {
            throw UsageError(.invalidCombination, "neither XDG_STATE_HOME nor HOME is set")
        }
        try Folder.makeAll(folder)
        let digest = Hexadecimal.text(try SHA256.digest(of: Array(base.utf8).span))
        let file = try FileDescriptor(
            opening: folder / BytePath("sync-\(String(digest.prefix(16))).lock"), .updateOrCreate)
        do throws(SystemError) { try file.lock(exclusively: true) } catch {
            throw error.isLocked ? SyncError(.inUse) : error
        }
        return file
    }

    private func synchronize(
        _ store: any HealthStore, _ target: some TransactionalStore
    ) async throws -> SyncReport {
        let manager = SyncManager(batchSize: batch ?? self.target.batchSize)
        manager.delegate = InterruptedSync()
        manager.terms = terms
        if case .fhir = self.target { manager.terms.person = terms.person ?? credentials.subject }
        if let types { manager.add(types, to: target) } else { manager.addAllTypes(to: target) }
        // It is read twice: to find out whose it is, and what has changed.
        (store as? ExportStore)?.keepSamples()
        return try await manager.synchronize(with: store, isDry: isDry, isResetting: isReset)
    }
}

/// Stops a synchronisation between two batches when the command is interrupted.
private struct InterruptedSync: SyncDelegate {
    func willSynchronize(_ batch: SyncBatch) async throws {
        if Interruption.isRequested() { throw VaultError.interruptedResumably }
    }
}
