import SystemIO

/// The plan for an export.
struct ExportPlan: Sendable, Equatable {
    /// The record of the session when the export starts.
    var record: ExportRecord
    /// Whether an unfinished output of an earlier run is discarded.
    var restarts = false
    /// Whether a finished target is replaced once the new one is complete.
    var replaces: Bool
    /// The further container whose unfinished output is removed first; nil if there is none.
    var discarded: BytePath?
}

/// The next step of a session.
enum ExportStep: Sendable, Equatable {
    /// The source must be compared with the session's before the next decision.
    case compareSource
    /// The export is complete, or complete except for what failed.
    case complete
    /// The session belongs to a different export; these options differ.
    case refuseOptions([String])
    /// The source is not the one that the session started with.
    case refuseSource
    /// The session's output is missing.
    case refuseMissing(BytePath)
    /// A part of the session's output is missing.
    case refuseCut(BytePath)
    /// Something else is in place of the session's output.
    case refuseOther(BytePath)
    /// The export runs.
    case export(ExportPlan)
}
