import Glibc
public import SystemIO

/// Where the program keeps what it knows of sessions: files that only their owner can read.
public struct StateFolder: Sendable {
    /// The folder.
    public let path: BytePath

    /// A folder at a path; it is made when something is to be kept in it.
    public init(_ path: BytePath) { self.path = path.withoutTrailingSlashes }

    /// `$XDG_STATE_HOME/healthvault`, else `~/.local/state/healthvault` (XDG Base Directory Specification).
    ///
    /// - Returns: nil where neither variable of the environment says where that is.
    public static func standard() -> StateFolder? {
        if let state = CurrentProcess.path(inEnvironment: "XDG_STATE_HOME"), state.isAbsolute {
            return StateFolder(state / "healthvault")
        }
        guard let home = CurrentProcess.path(inEnvironment: "HOME"), home.isAbsolute else { return nil }
        return StateFolder(home / ".local/state/healthvault")
    }

    private static let sessions: BytePath = "sessions"

    /// The folder of sessions, which is made where it is missing.
    ///
    /// - Throws: `SystemError`, also where it is a link: what is kept must not land elsewhere.
    func sessionFolder() throws(SystemError) -> OpenFolder {
        try Folder.makeAll(path)
        let folder = try OpenFolder(opening: path)
        try folder.makeFolders(Self.sessions)
        return try folder.openFolder(Self.sessions)
    }

    /// The names of the files of sessions.
    func sessionFiles() throws(SystemError) -> [BytePath] {
        do {
            let folder = try OpenFolder(opening: path).openFolder(Self.sessions)
            return try folder.entries().filter { $0.status.kind == .file }.map(\.name)
        } catch {
            if error.number == ENOENT { return [] }
            throw error
        }
    }
}
