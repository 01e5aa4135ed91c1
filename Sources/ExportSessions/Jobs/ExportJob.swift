import HealthArchive

/// The decisions of an export with a record: what it does next, and what its record says afterwards.
///
/// It looks at nothing itself. ``RecordedExport`` collects the facts and carries out the decisions.
struct ExportJob: Sendable, Equatable {
    /// The record of the requested export.
    let asked: ExportRecord
    /// What to do with what an earlier run has left.
    let request: ExportRequest
    /// The record that an earlier run has left; nil if there is none.
    let stored: ExportRecord?

    /// What becomes of the record.
    enum Change: Sendable, Equatable {
        /// It is written.
        case save(ExportRecord)
        /// It is removed.
        case remove
        /// It stays as it is.
        case keep
    }

    /// What failed is exported again.
    ///
    /// Continuing a retry is a retry, whichever command does it.
    private var isRetry: Bool {
        guard request != .restart, stored?.pending != nil else { return request == .retry }
        return request != .begin || !asked.isReplacing
    }

    /// Decides what to do next.
    ///
    /// - Parameter findings: What lies on the disk; nil where there is no earlier record.
    func step(_ findings: ExportFindings?) -> ExportStep {
        guard let stored, let findings else { return .export(fresh) }
        let differences = stored.differences(from: asked)
        guard differences.isEmpty else {
            let isOther = request == .restart || request == .begin && !asked.isNamed
            return isOther ? .export(fresh) : .refuseOptions(differences)
        }
        // A retry replaces only the session's own output.
        let replaces = isRetry ? findings.output == .own : asked.isReplacing
        var plan = ExportPlan(record: asked, restarts: request == .restart, replaces: replaces)
        plan.record.created = stored.created
        if !isRetry { plan.discarded = stored.pending }
        return request == .restart ? .export(plan) : continuation(of: stored, findings, plan)
    }

    /// An export that an earlier one has nothing to do with.
    ///
    /// To resume or retry is not a request to replace something: without a record nothing was made that could be replaced.
    private var fresh: ExportPlan {
        let isNew = request == .begin || request == .restart
        return ExportPlan(record: asked, restarts: request == .restart, replaces: isNew && asked.isReplacing)
    }

    private func continuation(
        of stored: ExportRecord, _ findings: ExportFindings, _ begun: ExportPlan
    ) -> ExportStep {
        var plan = begun
        if stored.isComplete, findings.output == .own, !isRetry, request == .resume || !asked.isReplacing {
            guard !asked.isNamed, stored.phase == .completed else { return .complete }
            // Without a name it is the same export only as long as the source is the same.
            guard let isSame = findings.isSameSource else { return .compareSource }
            return isSame ? .complete : .export(plan)
        }
        // Without a request, only what this session has made is replaced or continued.
        if isRetry || request == .resume && asked.isReplacing {
            if findings.output == .missing { return .refuseMissing(stored.newest) }
            if findings.output == .other { return .refuseOther(stored.newest) }
        }
        guard let isSame = findings.isSameSource else { return .compareSource }
        guard isSame || !asked.isNamed && !isRetry else { return .refuseSource }
        plan.record.identity = stored.identity
        // What continues has the batches that it was begun with.
        if isSame { plan.record.batching = stored.batching }
        if isRetry { keepOutputs(of: stored, findings, &plan) }
        return .export(plan)
    }

    /// Continues from the finished outputs: an archive by a further one, a folder by a new one in its place.
    private func keepOutputs(of stored: ExportRecord, _ findings: ExportFindings, _ plan: inout ExportPlan) {
        plan.record.further = stored.further
        plan.record.samples = stored.samples
        plan.record.size = stored.size
        guard asked.isEncrypted else { return }
        plan.record.pending = findings.isPendingFree ? stored.pending : findings.freeName
        // A further container replaces nothing.
        plan.replaces = false
    }
}
