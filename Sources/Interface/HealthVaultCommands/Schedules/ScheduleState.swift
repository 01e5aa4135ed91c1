import CivilTime
import CommandLineKit
import CommandOptions
import CommandOutput
import ErrorKinds
import HealthVault
import JSONText
import SystemIO
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
        return try DueExports(try configuration.folder, state: try stateFolder.required()).all().map {
            export in
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
        if schedule.range != .all { form += ", last \(schedule.range.rawValue)" }
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
                ? "due, and the drive is connected: run 'healthvault run-due'" : "due"
        }
        return "next \(Self.time(export.next, days))"
    }

    static func table(_ states: [ScheduleState]) -> TerminalText {
        var table = TextTable([.left, .left, .left, .left, .left])
        let titles: [TerminalText] = ["destination", "when", "format", "last done", "state"]
        let rows = states.map { state -> [TerminalText] in
            [
                "\(state.schedule.destination)",
                "\(state.schedule.due.recurrence.text) \(state.schedule.due.time.text)", state.form,
                state.progress.done.map { Self.time($0, state.days) } ?? "never", state.state,
            ]
        }
        return .lines(table.lines([titles] + rows))
    }

    static func json(_ states: [ScheduleState]) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("schedules")
            writer.array { writer in
                for state in states { state.write(&writer) }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(_ writer: inout JSONWriter) {
        func utc(_ instant: Int) -> String { Timestamp(seconds: instant, offsetMinutes: 0).utc }
        writer.object { writer in
            writer.member("destination", schedule.destination)
            writer.member("recurrence", schedule.due.recurrence.text)
            writer.member("time", schedule.due.time.text)
            writer.member("source", schedule.source)
            writer.member("encrypted", schedule.isEncrypted)
            writer.member("formats", schedule.formats)
            writer.member("units", schedule.units?.rawValue ?? UnitChoice.source.rawValue)
            writer.member("incremental", schedule.isIncremental)
            writer.member("range", schedule.range.rawValue)
            if let keep = schedule.keep { writer.member("keep", keep) }
            writer.member("due", export.isDue)
            writer.member("next", utc(export.next))
            if let done = progress.done { writer.member("lastDone", utc(done)) }
            if let reason { writer.member("waitingFor", reason) }
            writer.member("connected", isConnected)
            if let waiting = progress.waiting { writer.member("waitingSince", utc(waiting)) }
        }
    }
}
