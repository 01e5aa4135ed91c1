import HealthModel

/// The current status of a session.
struct SessionStatus {
    var descriptor: SessionDescriptor
    private(set) var state = BulkExportSessionState.paused
    private(set) var numCompleted = 0
    private(set) var numFailed = 0
    var interruption: (any Error)?
    /// The task of the current or last run; nil before the first.
    var task: Task<Void, Never>?
    /// The state requested for a run that must end early; nil if the run was not stopped.
    private(set) var requestedState: BulkExportSessionState?
    var stopWaiting: (@Sendable () -> Void)?
    /// The functions that cancel the batches being processed, by batch number.
    private(set) var active: [Int: @Sendable () -> Void] = [:]
    /// Whether types are being added.
    private var isExtending = false
    /// The batches that the run still has to process.
    private(set) var wanted: Set<Int> = []

    init(_ descriptor: SessionDescriptor) {
        self.descriptor = descriptor
        numCompleted = descriptor.records.count { $0.result == .success }
        numFailed = descriptor.records.count { $0.result != nil } - numCompleted
        state = restingState
    }

    /// The state of an idle session; a session without batches is paused.
    private var restingState: BulkExportSessionState { descriptor.records.isEmpty ? .paused : outcome }

    /// The state that results from the batches' results.
    private var outcome: BulkExportSessionState {
        guard numCompleted + numFailed == descriptor.records.count else { return .paused }
        return numFailed == 0 ? .completed : .completedWithFailures
    }

    func batches(_ isWanted: (ExportBatch.Result?) -> Bool) -> [ExportBatch] {
        descriptor.records.indices.filter { isWanted(descriptor.records[$0].result) }
            .map { descriptor.batch($0) }
    }

    var progress: BulkExportProgress? {
        guard state == .running else { return nil }
        return BulkExportProgress(
            numCompleted: numCompleted, numFailed: numFailed, numTotal: descriptor.records.count,
            activeBatches: active.keys.sorted().map { descriptor.batch($0) })
    }

    /// Prevents an idle session from being started while types are added; returns false if the session is not idle.
    mutating func beginExtending() -> Bool {
        guard state != .running, state != .terminated, !isExtending else { return false }
        isExtending = true
        return true
    }

    /// Adds types, or none if planning them failed.
    mutating func endExtending(_ addition: (types: [String], plan: [PlannedBatch])?) {
        isExtending = false
        guard let addition else { return }
        descriptor.add(types: addition.types, addition.plan)
        if state != .terminated { state = restingState }
    }

    mutating func begin(retryingFailed: Bool) -> StartSessionError? {
        guard !isExtending else { return .alreadyRunning }
        switch state {
        case .running: return .alreadyRunning
        case .terminated: return .isTerminated
        case .paused, .completed, .completedWithFailures: break
        }
        wanted = Set(
            descriptor.records.indices.filter { number in
                let result = descriptor.records[number].result
                return result == nil || retryingFailed && result != .success
            })
        state = .running
        requestedState = nil
        interruption = nil
        return nil
    }

    /// Tells the run to stop; a session that is not running is terminated immediately if that is the requested state.
    mutating func stop(_ requestedState: BulkExportSessionState) {
        guard state == .running else {
            if requestedState == .terminated { state = .terminated }
            return
        }
        if self.requestedState != .terminated { self.requestedState = requestedState }
        for cancel in active.values { cancel() }
        stopWaiting?()
    }

    mutating func activate(_ number: Int, cancel: @escaping @Sendable () -> Void) {
        active[number] = cancel
        if requestedState != nil { cancel() }
    }

    /// Records that a batch is no longer being processed; without a result, the batch keeps its previous result.
    mutating func record(_ number: Int, _ result: ExportBatch.Result?) {
        active[number] = nil
        guard let result else { return }
        switch descriptor.records[number].result {
        case .success: numCompleted -= 1
        case .failure: numFailed -= 1
        case nil: break
        }
        if result == .success { numCompleted += 1 } else { numFailed += 1 }
        descriptor.records[number].result = result
        wanted.remove(number)
    }

    /// Records the end of the run.
    mutating func finishRun(_ error: (any Error)?) {
        interruption = error
        state = requestedState ?? (error == nil ? outcome : .paused)
        requestedState = nil
        stopWaiting = nil
        active = [:]
    }
}
