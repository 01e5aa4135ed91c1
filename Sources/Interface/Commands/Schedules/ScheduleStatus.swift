import ByteText
import CommandLineKit
import HealthVault
import SystemIO
import Tables
import Wording

/// Whether scheduled exports are up to date, and what was done with those that arrived in watched folders.
struct ScheduleStatus {
    private let states: [ScheduleState]
    private let records: [WatchRecord]
    private let days: Days

    init(_ configuration: ConfigurationOption, _ stateFolder: StateFolderOption) throws {
        states = try ScheduleState.all(configuration, stateFolder)
        days = try LocalZone.days()
        records = try WatchRecords(try stateFolder.required()).newest()
    }

    /// Prints it, and returns the exit status that tells the worst.
    func print(json: Bool) throws -> ExitStatus {
        let watched = records.map { WatchState(record: $0, days: days) }
        var table = ScheduleState.table(states)
        table.closing = [("watched", watched.map(\.object))]
        table.hasTitles = !states.isEmpty
        table.notes = states.isEmpty && watched.isEmpty ? ["no scheduled exports"] : watched.map(\.text)
        try ReportOptions(json: json).print(table)
        if records.contains(where: { !$0.failed.isEmpty }) { return .failed }
        return [.failed, .tryLater].first { status in states.contains { $0.status == status } } ?? .done
    }
}

/// What was done with the last export that arrived in a watched folder.
struct WatchState {
    let record: WatchRecord
    let days: Days

    /// The state in a line.
    var text: TerminalText {
        let time: TerminalText = "\(LocalTime(days: days).text(days.timestamp(record.time)))"
        var text: TerminalText = "watched \(record.inbox): \(record.export.name) at \(time)"
        if !record.done.isEmpty {
            text += ", done: \(TerminalText(escaping: record.done.joined(separator: ", ")))"
        }
        if !record.failed.isEmpty {
            text += ", failed: \(TerminalText(escaping: record.failed.joined(separator: ", ")))"
        }
        return text
    }

    /// The state in JSON.
    var object: TableObject {
        TableObject([
            ("inbox", record.inbox), ("export", record.export),
            ("time", Timestamp(seconds: record.time, offsetMinutes: 0).utc), ("done", record.done),
            ("failed", record.failed),
        ])
    }
}
