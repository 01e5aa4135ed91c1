import ByteText
import CommandLineKit
import HealthVault
import SystemIO
import Tables
import Wording

/// How schedules are shown.
struct ScheduleState {
    private let export: ScheduledExport
    private let days: Days
    private var schedule: ExportSchedule { export.schedule }
    private var progress: ScheduleProgress { export.progress }

    /// Returns the state of all schedules, sorted by destination.
    static func all(
        _ configuration: ConfigurationOption, _ stateFolder: StateFolderOption
    ) throws -> [ScheduleState] {
        let days = try LocalZone.days()
        let destinations = try configuration.destinations
        return try DueExports(configuration, stateFolder).all().map { export in
            let destination = try? destinations.destination(export.schedule.destination)
            return ScheduleState(
                export: export, days: days, isConnected: (try? destination?.locate()) != nil)
        }
    }

    /// Returns an instant in local time.
    static func time(_ instant: Int, _ days: Days) -> TerminalText {
        "\(LocalTime(days: days).text(days.timestamp(instant)))"
    }

    private var form: TerminalText {
        var form: TerminalText =
            schedule.isEncrypted ? "encrypted" : "\(schedule.formats.joined(separator: ","))"
        if let units = schedule.units { form += ", \(units.rawValue) units" }
        if schedule.isIncremental { form += ", incremental" }
        if let period = schedule.period { form += ", last \(period.text)" }
        return form
    }

    /// Whether the destination can be used now.
    private let isConnected: Bool

    /// The reason why a due run could not be made, unless it waited for a drive that has come back since.
    private var reason: String? {
        isConnected && progress.reason == ErrorKind.tryLater.reason ? nil : progress.reason
    }

    /// The exit status that tells the state: 1 if the due run failed, 75 if it waits.
    var status: ExitStatus {
        guard export.isDue else { return .done }
        return progress.hasFailed ? .failed : .tryLater
    }

    private var state: TerminalText {
        if export.isDue {
            if let reason { return "\(progress.hasFailed ? "failed" : "waiting"): \(reason)" }
            return isConnected && progress.reason != nil
                ? "due, and the drive is connected: run 'healthvault schedule run'" : "due"
        }
        return "next \(Self.time(export.next, days))"
    }

    /// Returns a table of schedules.
    static func table(_ states: [ScheduleState]) -> Table<ScheduleState> {
        func utc(_ instant: Int) -> String { Timestamp(seconds: instant, offsetMinutes: 0).utc }
        return Table(
            "schedules", states,
            [
                TableColumn("destination") { $0.schedule.destination },
                TableColumn("when", in: .text) {
                    "\($0.schedule.due.recurrence.words) \($0.schedule.due.time.text)"
                },
                TableColumn("format", in: .text) { $0.form },
                TableColumn("last done", in: .text) { state in
                    state.progress.done.map { Self.time($0, state.days) } ?? "never"
                },
                TableColumn("state", in: .text) { $0.state },
                TableColumn("every", in: .json) { $0.schedule.due.recurrence.text },
                TableColumn("time", in: .json) { $0.schedule.due.time.text },
                TableColumn("source", in: .json) { $0.schedule.source },
                TableColumn("encrypted", in: .json) { $0.schedule.isEncrypted },
                TableColumn("formats", in: .json) { $0.schedule.formats },
                TableColumn("units", in: .json) { $0.schedule.units?.rawValue ?? UnitChoice.source.rawValue },
                TableColumn("incremental", in: .json) { $0.schedule.isIncremental },
                TableColumn("last", in: .json) { $0.schedule.period?.text },
                TableColumn("keep", in: .json) { $0.schedule.keep },
                TableColumn("due", in: .json) { $0.export.isDue },
                TableColumn("next", in: .json) { utc($0.export.next) },
                TableColumn("lastDone", in: .json) { $0.progress.done.map(utc) },
                TableColumn("waitingFor", in: .json) { $0.reason },
                TableColumn("connected", in: .json) { $0.isConnected },
                TableColumn("waitingSince", in: .json) { $0.progress.waiting.map(utc) },
            ])
    }
}
