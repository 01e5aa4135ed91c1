/// How an export handles what an earlier run of the same session left behind.
public enum ExportRequest: Sendable, CaseIterable {
    /// Continues an interrupted run, or starts a new one.
    case begin
    /// Discards an unfinished output and starts over.
    case restart
    /// Continues a session by name, and replaces only the session's own output.
    case resume
    /// Retries what failed.
    case retry
}
