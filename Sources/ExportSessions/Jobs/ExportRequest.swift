/// What an export is asked to do with what an earlier run of the same session has left.
public enum ExportRequest: Sendable, CaseIterable {
    /// Continues an interrupted run, or begins one.
    case begin
    /// Discards an unfinished output and begins.
    case restart
    /// Continues a session by its name, and replaces nothing but what this session has made.
    case resume
    /// Exports again what failed.
    case retry
}
