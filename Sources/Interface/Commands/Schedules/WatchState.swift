import ByteText
import HealthVault
import SystemIO
import Tables

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
