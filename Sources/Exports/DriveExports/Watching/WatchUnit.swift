public import SystemIO

/// The systemd user service that watches a folder.
public struct WatchUnit: Sendable {
    private let arguments: [BytePath]

    /// Prepares the unit.
    ///
    /// - Parameter arguments: The absolute path of the program, and its arguments.
    public init(running arguments: [BytePath]) { self.arguments = arguments }

    /// The unit, see systemd.service(5); it is started again after a failure.
    public var service: [UInt8] {
        let head = """
            [Unit]
            Description=Health exports as they arrive

            [Service]
            ExecStart=
            """
        let tail = """

            Restart=on-failure
            RestartSec=60

            [Install]
            WantedBy=default.target

            """
        return Array(head.utf8) + TimerUnits.systemdCommand(arguments) + Array(tail.utf8)
    }
}
