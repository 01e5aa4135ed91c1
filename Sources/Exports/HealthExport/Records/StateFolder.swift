public import SystemIO

/// The folder in which the program stores the state of sessions, in files that only their owner can read.
public struct StateFolder: Sendable {
    /// The folder.
    public let path: BytePath

    /// Creates a state folder value for a path; the folder itself is created when something is first stored in it.
    public init(_ path: BytePath) { self.path = path.withoutTrailingSlashes }

    /// Returns `$XDG_STATE_HOME/healthvault`, or else `~/.local/state/healthvault` (XDG Base Directory Specification).
    ///
    /// - Returns: nil if neither `XDG_STATE_HOME` nor `HOME` is an absolute path.
    public static func standard() -> StateFolder? {
        if let state = CurrentProcess.path(inEnvironment: "XDG_STATE_HOME"), state.isAbsolute {
            return StateFolder(state / "healthvault")
        }
        guard let home = CurrentProcess.path(inEnvironment: "HOME"), home.isAbsolute else { return nil }
        return StateFolder(home / ".local/state/healthvault")
    }
}
