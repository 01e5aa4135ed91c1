/// The decisions of a recorded export: its next step, and how its record changes afterwards.
///
/// It performs no I/O. ``RecordedExport`` collects the facts and carries out the decisions.
struct ExportJob: Sendable, Equatable {
    /// The record of the requested export.
    let asked: ExportRecord
    /// How to handle what an earlier run left behind.
    let request: ExportRequest
    /// The record left by an earlier run; nil if there is none.
    let stored: ExportRecord?

    /// A change to the record.
    enum Change: Sendable, Equatable {
        /// The record is written.
        case save(ExportRecord)
        /// The record is removed.
        case remove
        /// The record stays unchanged.
        case keep
    }

    /// Whether to retry what failed.
    ///
    /// Continuing a retry is also a retry, unless the request is to restart, or to begin and replace the target.
    private var isRetry: Bool {
        guard request != .restart, stored?.pending != nil else { return request == .retry }
        return request != .begin || !asked.isReplacing
    }

    /// Decides what to do next.
    ///
    /// - Parameter findings: What exists on disk; nil if there is no earlier record.
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

    /// The plan for an export that is independent of any earlier one.
    ///
    /// Resuming or retrying is not a request to replace: without a record, the session has no output to replace.
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
            // An unnamed export is the same only while its source is the same.
            guard let isSame = findings.isSameSource else { return .compareSource }
            return isSame ? .complete : .export(plan)
        }
        // Without a request to replace the target, only this session's own output is replaced or continued.
        if isRetry || request == .resume && asked.isReplacing {
            if findings.output == .missing { return .refuseMissing(stored.newest) }
            if findings.output == .other { return .refuseOther(stored.newest) }
        }
        // What is no longer whole is not complete, and is replaced only on request.
        if findings.output == .cut, isRetry || !asked.isReplacing { return .refuseCut(stored.newest) }
        guard let isSame = findings.isSameSource else { return .compareSource }
        guard isSame || !asked.isNamed && !isRetry else { return .refuseSource }
        plan.record.identity = stored.identity
        // A continued export keeps its original batching.
        if isSame { plan.record.batching = stored.batching }
        if isRetry { keepOutputs(of: stored, findings, &plan) }
        return .export(plan)
    }

    /// Keeps the finished outputs: a further archive continues an archive, and a new folder replaces a folder.
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
