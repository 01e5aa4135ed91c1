import ByteText
import HealthVault
import SystemIO
import Tables
import Wording

/// A line of the history.
struct HistoryLine {
    var record: HistoryRecord
    let place: OutputPlaces.Place
    /// Whether the file was found intact; nil if it was not checked.
    var isWhole: Bool?

    private var result: TerminalText {
        switch record.result {
        case .done: "done"
        case .incomplete: "incomplete"
        case .unverified: "not verified"
        case .nothingNew: "nothing new"
        case .failed: "failed"
        }
    }

    private var state: TerminalText {
        if isWhole == true { return "intact" }
        if isWhole == false { return "DAMAGED" }
        return switch place {
        case .there: "present"
        case .damaged: "DAMAGED"
        case .missing: "missing"
        case .away: "not connected"
        case .pruned: "removed"
        case .none: ""
        }
    }

    private var time: TerminalText {
        let offset = SystemClock.localOffsetMinutes(at: record.began)
        let text = Timestamp(seconds: record.began, offsetMinutes: offset).iso
        return "\(String(text.prefix(10))) \(String(text.dropFirst(11).prefix(5)))"
    }

    private var file: TerminalText {
        if let path = record.path { return "\(path.name)" }
        return record.reason.map { "\($0)" } ?? ""
    }

    /// Returns a table of lines; the names of files matter more than what the narrowest columns say.
    static func table(_ lines: [HistoryLine]) -> Table<HistoryLine> {
        Table(
            "runs", lines,
            [
                TableColumn("date", in: .text) { $0.time },
                TableColumn("began", in: .json) { Timestamp(seconds: $0.record.began, offsetMinutes: 0).utc },
                TableColumn("seconds", in: .json) { FixedNumber($0.record.seconds, digits: 3) },
                TableColumn("destination") { $0.record.destination },
                TableColumn("scheduled", in: .json) { $0.record.isScheduled },
                TableColumn("format", isOptional: true) { $0.record.format },
                TableColumn("samples", in: .text, isOptional: true, isNumber: true) { line in
                    line.record.path.map { _ in Quantities.count(line.record.samples) }
                },
                TableColumn("size", in: .text, isOptional: true, isNumber: true) { line in
                    line.record.path.map { _ in Quantities.bytes(line.record.size) }
                },
                TableColumn("time", in: .text, isOptional: true, isNumber: true) {
                    Quantities.seconds($0.record.seconds)
                },
                TableColumn("result", in: .text) { $0.result },
                TableColumn("result", in: .json) { $0.record.result.rawValue },
                TableColumn("reason", in: .json) { $0.record.reason },
                TableColumn("path", in: .json) { $0.record.path },
                TableColumn("samples", in: .json) { $0.record.samples },
                TableColumn("bytes", in: .json) { $0.record.size },
                TableColumn("file", in: .text) { $0.state },
                TableColumn("file", in: .json) { line in line.record.path.map { _ in line.state.text } },
                TableColumn("intact", in: .json) { $0.isWhole },
                TableColumn("name", in: .text, title: "") { $0.file },
            ])
    }
}
