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
        CurrentProcess.folder(inEnvironment: "XDG_STATE_HOME", inHome: ".local/state")
            .map { StateFolder($0 / "healthvault") }
    }
}

/// The folder in which the program stores what its user has set up: destinations and schedules.
public struct ConfigurationFolder: Sendable {
    /// The folder.
    public let path: BytePath

    /// Creates a reference to a configuration folder; the folder is created when something is first stored in it.
    public init(_ path: BytePath) { self.path = path.withoutTrailingSlashes }

    /// Returns `$XDG_CONFIG_HOME/healthvault`, else `~/.config/healthvault` (XDG Base Directory Specification).
    ///
    /// - Returns: nil if neither environment variable has an absolute path.
    public static func standard() -> ConfigurationFolder? {
        home.map { ConfigurationFolder($0 / "healthvault") }
    }

    /// The folder with the configuration of all programs; nil if the environment names none.
    package static var home: BytePath? {
        CurrentProcess.folder(inEnvironment: "XDG_CONFIG_HOME", inHome: ".config")
    }
}

extension CurrentProcess {
    /// Returns the folder that a variable names, or else one in the home folder; nil if neither is an absolute path.
    fileprivate static func folder(inEnvironment variable: String, inHome place: BytePath) -> BytePath? {
        if let path = path(inEnvironment: variable), path.isAbsolute { return path }
        guard let home = path(inEnvironment: "HOME"), home.isAbsolute else { return nil }
        return home / place
    }
}
