import ByteText
import CommandLineKit
import HealthVault
import SystemIO
import Tables
import Wording

/// The command `healthvault status`.
struct StatusCommand: VaultCommand {
    var json = false
    var configuration = ConfigurationOption()
    var stateFolder = StateFolderOption()

    static let grammar = CommandGrammar<Self>(
        name: "status",
        summary: "Shows whether scheduled exports are up to date, and what was done with those that arrived.",
        discussion: """
            Shows for each schedule when the last export was completed and verified, when the next one is due, and \
            what a due export is waiting for; and for each folder that 'healthvault watch' has watched, its last export. \
            Ends with 0 if all is well, with 75 if an export waits, and with 1 if one failed.
            """,
        examples: [
            HelpExample("healthvault status", "Show all scheduled exports"),
            HelpExample("healthvault status --json", "Print the same for a program"),
        ],
        elements: [
            .json(\.json),
            .including(\.configuration, ConfigurationOption.elements),
            .including(\.stateFolder, StateFolderOption.elements),
        ])

    func run() async throws -> ExitStatus {
        let states = try ScheduleState.all(configuration, stateFolder)
        let days = try LocalZone.days()
        let records = try WatchRecords(try stateFolder.required()).newest()
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
