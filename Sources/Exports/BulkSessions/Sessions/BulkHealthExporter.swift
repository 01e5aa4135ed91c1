public import ByteText
import HealthArchive
public import HealthExport
public import HealthModel
public import SampleBatches
import Synchronization
public import SystemIO

/// Exports large amounts of health data batch by batch, in sessions that persist after the program exits.
///
/// ```swift
/// let exporter = BulkHealthExporter(try ExportStore(path: "export.zip"), stateFolder: StateFolder("state"))
/// let session = try await exporter.session(
///     withId: .upload, for: [.activeEnergyBurned, .heartRate, .stepCount], using: Uploader())
/// try session.start()
/// ```
///
/// Call ``session(withId:for:startDate:endDate:batchSize:using:)`` each time the program runs: it creates the session
/// or restores it with its progress so far.
public actor BulkHealthExporter {
    private let store: any HealthStore
    private let files: SessionFiles<SessionEntry>
    private var live: [BulkExportSessionIdentifier: any BulkExportSessionProtocol] = [:]
    /// The sessions that are being created, restored or deleted; each has at most one operation at a time.
    private var busy: [BulkExportSessionIdentifier: Task<Void, Never>] = [:]

    /// Creates an exporter of the samples in a store.
    ///
    /// - Parameters:
    ///   - store: The store that contains the samples.
    ///   - stateFolder: The folder for the state of sessions. It reveals the types of the samples and the times that
    ///     they cover.
    public init(_ store: any HealthStore, stateFolder: StateFolder) {
        self.store = store
        files = SessionFiles(stateFolder, suffix: ".journal")
    }

    /// The sessions that this exporter created or restored, sorted by name.
    public var sessions: [any BulkExportSessionProtocol] {
        live.sorted { $0.key.text < $1.key.text }.map(\.value)
    }

    /// Creates a session, or restores the existing one with this name.
    ///
    /// A request for an existing session may include additional sample types, which extend the session. Everything
    /// else must be unchanged.
    ///
    /// - Parameters:
    ///   - id: The session's name.
    ///   - sampleTypes: The types to export; types that the store does not have produce no batches.
    ///   - startDate: The start of the exported period.
    ///   - endDate: The cut-off: samples that start at or after this time are not exported. If nil, the store's export
    ///     date or, if that is unknown, the session's creation time. An existing session keeps its cut-off.
    ///   - batchSize: The size of the batches.
    ///   - processor: The processor of the batches.
    /// - Returns: The session, which has to be started unless it is already running.
    /// - Throws: ``SessionError``; errors of the store; `VaultError` if the state cannot be read or written.
    public func session<Processor: BatchProcessor>(
        withId id: BulkExportSessionIdentifier, for sampleTypes: [AnySampleType],
        startDate: ExportSessionStartDate = .oldestSample, endDate: Timestamp? = nil,
        batchSize: ExportSessionBatchSize = .automatic, using processor: Processor
    ) async throws -> BulkExportSession<Processor> {
        guard id.isUsable else { throw SessionError.invalidIdentifier }
        let request = SessionRequest(
            id: id, types: sampleTypes, startDate: startDate, endDate: endDate, batchSize: batchSize,
            processor: processor.identifier)
        return try await serialized(id) { exporter in
            try await exporter.openOrCreate(request, processor)
        }
    }

    /// Deletes the stored state of a session.
    ///
    /// A session of this exporter is terminated first and can no longer be started. A session that another process is
    /// using is not deleted.
    ///
    /// - Throws: ``SessionError/invalidIdentifier``, ``SessionError/noSuchSession``, ``SessionError/inUse``, or
    ///   `VaultError`.
    public func deleteSessionRestorationInfo(for id: BulkExportSessionIdentifier) async throws {
        guard id.isUsable else { throw SessionError.invalidIdentifier }
        try await serialized(id) { exporter in try await exporter.delete(id) }
    }

    private func serialized<Result: Sendable>(
        _ id: BulkExportSessionIdentifier,
        _ body: @escaping @Sendable (isolated BulkHealthExporter) async throws -> Result
    ) async throws -> Result {
        while let other = busy[id] { await other.value }
        let task = Task { try await body(self) }
        // It removes itself: who waits for one that has ended does not suspend, and would wait for its removal for ever.
        busy[id] = Task {
            _ = await task.result
            busy[id] = nil
        }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch let error as SystemError { throw VaultError.wrapping(error) }
    }

    private func openOrCreate<Processor: BatchProcessor>(
        _ request: SessionRequest, _ processor: Processor
    ) async throws -> BulkExportSession<Processor> {
        if let known = live[request.id] {
            guard let session = known as? BulkExportSession<Processor>,
                session.processor.identifier == processor.identifier
            else {
                throw SessionError.conflictingSessionAlreadyExists
            }
            try await extend(session, request)
            return session
        }
        let journal = try open(request.id)
        let stored = try SessionDescriptor(journal.lines.map(\.record))
        if let stored, stored.terms.processor != request.processor {
            throw SessionError.conflictingSessionAlreadyExists
        }
        let descriptor: SessionDescriptor
        if let stored { descriptor = stored } else { descriptor = try await create(request, journal) }
        let session = BulkExportSession(descriptor, journal, store: store, processor: processor)
        try await extend(session, request)
        live[request.id] = session
        return session
    }

    private func open(
        _ id: BulkExportSessionIdentifier, mustExist: Bool = false
    ) throws -> RecordLog<SessionEntry> {
        do { return try files.open(id, mustExist: mustExist) } catch let error as RecordedExportError {
            throw error.code == .inUse ? SessionError.inUse : .noSuchSession
        }
    }

    /// Records the terms of a new session.
    private func create(
        _ request: SessionRequest, _ journal: RecordLog<SessionEntry>
    ) async throws -> SessionDescriptor {
        do {
            let terms = try await request.terms(store)
            try journal.append([SessionEntry(terms: terms)])
            return SessionDescriptor(terms: terms)
        } catch {
            try? journal.remove()
            throw error
        }
    }

    /// Checks that the session matches the request, and plans the types that the session does not have yet.
    private func extend<Processor>(
        _ session: BulkExportSession<Processor>, _ request: SessionRequest
    ) async throws {
        let descriptor = session.status.withLock { $0.descriptor }
        try await request.check(descriptor, store)
        let known = descriptor.types
        let types = request.typeNames.filter { !known.contains(ExactName($0)) }
        guard !types.isEmpty else { return }
        guard session.status.withLock({ $0.beginExtending() }) else { throw SessionError.isRunning }
        do {
            let plan = try await store.plan(SessionDescriptor.query(descriptor.terms, types: types))
            try session.journal.append([SessionEntry(types: types, plan: plan)])
            session.status.withLock { $0.endExtending((types, plan)) }
        } catch {
            session.status.withLock { $0.endExtending(nil) }
            throw error
        }
    }

    private func delete(_ id: BulkExportSessionIdentifier) async throws {
        if let session = live.removeValue(forKey: id) as? any TerminableSession {
            await session.terminate()
            try session.journal.remove()
            return
        }
        try open(id, mustExist: true).remove()
    }
}

/// A session that the exporter can terminate.
protocol TerminableSession: BulkExportSessionProtocol {
    var journal: RecordLog<SessionEntry> { get }
    func terminate() async
}

extension BulkExportSession: TerminableSession {}
