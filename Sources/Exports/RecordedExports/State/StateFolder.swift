import Glibc
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

    private static let sessions: BytePath = "sessions"

    /// Opens the sessions folder, and creates it if it is missing.
    ///
    /// - Throws: `SystemError`, including if it is a link, because the state must not be stored elsewhere.
    package func sessionFolder() throws(SystemError) -> OpenFolder {
        try Folder.makeAll(path)
        let folder = try OpenFolder(opening: path)
        if try folder.statusIfThere(of: Self.sessions) == nil {
            try folder.makeFolders(Self.sessions)
            try folder.sync()
        }
        return try folder.openFolder(Self.sessions)
    }

    /// Returns the names of the session files.
    package func sessionFiles() throws(SystemError) -> [BytePath] {
        do {
            let folder = try OpenFolder(opening: path).openFolder(Self.sessions)
            return try folder.entries().filter { $0.status.kind == .file }.map(\.name)
        } catch {
            if error.number == ENOENT { return [] }
            throw error
        }
    }
}
