import SystemIO

/// Where the program keeps what it knows of sessions: files that only their owner can read.
public struct StateFolder: Sendable {
    /// The folder.
    public let path: String

    /// A folder at a path; it is made when something is to be kept in it.
    public init(_ path: String) { self.path = Folder.withoutSlash(path) }

    /// `$XDG_STATE_HOME/healthvault`, else `~/.local/state/healthvault` (XDG Base Directory Specification).
    ///
    /// - Returns: nil where neither variable of the environment says where that is.
    public static func standard() -> StateFolder? {
        if let state = Process.environment("XDG_STATE_HOME"), state.startsWithBytes(of: "/") {
            return StateFolder(state + "/healthvault")
        }
        guard let home = Process.environment("HOME"), home.startsWithBytes(of: "/") else { return nil }
        return StateFolder(home + "/.local/state/healthvault")
    }

    private var sessions: String { path + "/sessions" }

    /// The file of a session; its folder exists when this returns.
    func sessionFile(_ name: String) throws(SystemError) -> String {
        try Folder.makeAll(sessions, below: "/")
        return sessions + "/" + name
    }

    /// The names of the files of sessions.
    func sessionFiles() throws(SystemError) -> [String] {
        do { return try Folder.entries(of: sessions).filter { $0.status.kind == .file }.map(\.text) } catch {
            if error.isMissing { return [] }
            throw error
        }
    }
}
