public import SystemIO

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
        if let path = CurrentProcess.path(inEnvironment: "XDG_CONFIG_HOME"), path.isAbsolute {
            return ConfigurationFolder(path / "healthvault")
        }
        guard let home = CurrentProcess.path(inEnvironment: "HOME"), home.isAbsolute else { return nil }
        return ConfigurationFolder(home / ".config/healthvault")
    }
}
