import CommandLineKit
import HealthVault
import SystemIO

/// How the system starts `schedule run`.
enum TimerKind: String, CaseIterable, Sendable {
    /// A systemd user timer, which is installed.
    case systemd
    /// A line for the crontab, which is printed.
    case cron
    /// A property list for launchd, which is printed.
    case launchd
    /// Nothing: the user runs it.
    case none
}

/// The installation of the timer that runs due exports.
struct TimerInstallation {
    private let schedules: Schedules
    private let arguments: [BytePath]

    init(
        _ schedules: Schedules, _ configuration: ConfigurationOption, _ stateFolder: StateFolderOption
    ) throws {
        self.schedules = schedules
        // A timer does not have the variables that may name other folders than the usual ones.
        arguments = [
            try Folder.canonical("/proc/self/exe"), "schedule", "run",
            "--config-dir", Folder.absolute(try configuration.folder.path),
            "--state-dir", Folder.absolute(try stateFolder.required().path),
        ]
    }

    /// Checks that a timer could run the program, which refuses arguments that are not UTF-8.
    ///
    /// - Parameter kind: The kind of timer, as for ``update(_:)``.
    func validate(_ kind: TimerKind?) throws(UsageError) {
        guard kind != TimerKind.none, let path = arguments.first(where: { $0.text == nil }) else { return }
        throw UsageError(
            .invalidValue, "a timer cannot run healthvault with a path that is not UTF-8: \(path)",
            hint: path == arguments.first
                ? "move the program, or use --timer none"
                : "use other folders with --config-dir and --state-dir, or --timer none")
    }

    /// Installs, changes or removes the timer, or prints what to install.
    ///
    /// - Parameter kind: The kind of timer; nil for systemd if it runs, else cron.
    func update(_ kind: TimerKind?) throws {
        let dues = try schedules.all().map(\.due)
        if !dues.isEmpty { try validate(kind) }
        let units = TimerUnits(running: arguments, at: dues)
        switch kind ?? (SystemdTimer.isAvailable ? .systemd : .cron) {
        case .systemd: try install(units, isNeeded: !dues.isEmpty)
        case .cron where dues.isEmpty: Console.log("remove the line from your crontab, with 'crontab -e'")
        case .cron:
            guard let lines = units.crontab else {
                throw UsageError(
                    .invalidValue, "a crontab cannot contain a folder name with a line break",
                    hint: "use other folders with --config-dir and --state-dir, or another --timer")
            }
            Console.log("add this to your crontab with 'crontab -e':")
            try Console.print(lines)
        case .launchd where dues.isEmpty:
            Console.log("run 'launchctl unload' on ~/Library/LaunchAgents/healthvault.plist, then remove it")
        case .launchd:
            guard let list = units.propertyList else {
                throw UsageError(
                    .invalidValue, "a property list cannot contain a folder name with a control character",
                    hint: "use other folders with --config-dir and --state-dir, or another --timer")
            }
            Console.log(
                "save this as ~/Library/LaunchAgents/healthvault.plist, then run 'launchctl load' on it:")
            try Console.print(list)
        case .none: break
        }
    }

    private func install(_ units: TimerUnits, isNeeded: Bool) throws {
        guard let timer = SystemdTimer() else {
            throw UsageError(
                .invalidCombination,
                "neither XDG_CONFIG_HOME nor HOME is set",
                hint: "use --timer cron or --timer none")
        }
        if !isNeeded {
            try timer.remove()
            Console.log("removed the timer")
        } else if try timer.install(units) {
            Console.log("installed the timer \(timer.path)")
        } else {
            Console.log("wrote the timer \(timer.path), but systemd did not start it; run:")
            Console.log(
                "systemctl --user daemon-reload && systemctl --user enable --now \(timer.path.name)")
        }
    }
}
