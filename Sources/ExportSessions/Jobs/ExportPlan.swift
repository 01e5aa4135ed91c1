import SystemIO

/// What an export is going to do.
struct ExportPlan: Sendable, Equatable {
    /// The record of the session when the export begins.
    var record: ExportRecord
    /// An unfinished output of an earlier run is discarded.
    var restarts = false
    /// A finished target is replaced once the new one is complete.
    var replaces: Bool
    /// The further container whose unfinished output is removed first; nil if there is none.
    var discarded: BytePath?
}

/// The next step of a session.
enum ExportStep: Sendable, Equatable {
    /// The source must be compared with that of the session; the rest follows from that.
    case compareSource
    /// The export is complete, or complete but for what failed.
    case complete
    /// The session is that of another export; these options differ.
    case refuseOptions([String])
    /// The source is not the one that the session was begun with.
    case refuseSource
    /// The output of the session is gone.
    case refuseMissing(BytePath)
    /// The output of the session is not there; something else is.
    case refuseOther(BytePath)
    /// The export runs.
    case export(ExportPlan)
}
