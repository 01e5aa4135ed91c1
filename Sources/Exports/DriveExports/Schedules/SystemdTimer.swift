public import SystemIO

/// The systemd user timer that runs due exports, in two files that this program has written.
public struct SystemdTimer: Sendable {
    private let service: BytePath
    /// The file of the timer.
    public let path: BytePath

    /// Whether the system was booted with systemd, which this folder tells, see sd_booted(3).
    public static var isAvailable: Bool { (try? FileStatus(at: "/run/systemd/system")) != nil }

    /// Creates a reference to the timer; nil if the environment names no folder for its files.
    public init?() {
        guard let home = ConfigurationFolder.home else { return nil }
        service = home / BytePath("systemd/user/\(TimerUnits.name).service")
        path = home / BytePath("systemd/user/\(TimerUnits.name).timer")
    }

    /// Writes the files, replacing existing ones, and starts the timer.
    ///
    /// - Returns: Whether systemd started it.
    /// - Throws: `SystemError`.
    public func install(_ units: TimerUnits) throws(SystemError) -> Bool {
        try Folder.makeAll(path.parent)
        for (file, text) in [(service, units.service), (path, units.timer)] {
            try OpenFolder(holding: file).replaceFile(file.name, with: text)
        }
        return Self.systemctl("daemon-reload") && Self.systemctl("enable --now \(path.name)")
    }

    /// Stops the timer, and removes the files that exist.
    ///
    /// - Throws: `SystemError`.
    public func remove() throws(SystemError) {
        _ = Self.systemctl("disable --now \(path.name)")
        for file in [service, path] {
            guard let folder = try? OpenFolder(holding: file),
                let status = try folder.statusIfThere(of: file.name)
            else { continue }
            try folder.removeFile(file.name, being: status)
        }
        _ = Self.systemctl("daemon-reload")
    }

    /// Runs `systemctl --user`; returns whether it succeeded.
    private static func systemctl(_ arguments: String) -> Bool {
        guard var output = try? LockedPages(count: 1 << 12),
            let (_, status) = try? Shell.output(of: "systemctl --user \(arguments) 2>&1", into: &output)
        else { return false }
        return status == 0
    }
}
