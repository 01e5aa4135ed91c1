import ByteText
import CommandLineKit
import HealthVault
import SystemIO
import Tables
import VaultContainer
import Wording

/// The exports to destinations, as the action `history` shows and checks them.
struct DestinationHistory {
    /// The destination; nil for all.
    let name: String?
    let verify: Bool
    let json: Bool
    let state: StateFolder
    let destinations: Destinations
    let key: KeyOptions

    func show() async throws -> ExitStatus {
        let history = History(inState: state.path)
        let records = try history.all().filter { name == nil || $0.destination == name }
        // The history also has the exports to destinations that were removed.
        if let name, records.isEmpty { _ = try destinations.destination(name) }
        var places = OutputPlaces(try destinations.all())
        var lines: [HistoryLine] = []
        for record in records { lines.append(HistoryLine(record: record, place: places.place(of: record))) }
        var status = ExitStatus.done
        if verify, !lines.isEmpty { status = try await check(&lines, history) }
        if !json, lines.isEmpty {
            Console.log("no exports to destinations yet")
        } else {
            try ReportOptions(json: json).print(HistoryLine.table(lines))
        }
        return status
    }

    /// Verifies the files that still exist, and notes those that are intact and were not verified before.
    private func check(_ lines: inout [HistoryLine], _ history: History) async throws -> ExitStatus {
        var known: ArchiveKey?
        var status = ExitStatus.done
        var (opened, unchecked) = (0, 0)
        for index in lines.indices {
            if case .damaged = lines[index].place {
                lines[index].isWhole = false
                status = .damaged
            }
            guard case .there(let path) = lines[index].place else { continue }
            var verifier = Verifier(archive: path)
            verifier.jobs = CurrentProcess.processorCount
            do {
                let report: VerificationReport
                if lines[index].record.isEncrypted {
                    let key = try known ?? key.read(prompt: "Passphrase: ")
                    known = key
                    report = try await verifier.verifyContainer(key: key)
                    opened += 1
                } else {
                    report = try await verifier.verifyFolder()
                }
                lines[index].isWhole = report.isFlawless
                lines[index].record = try history.confirm(lines[index].record, at: path, report)
            } catch let error as VaultError {
                // An archive with another passphrase is not damaged, but nobody knows that it is whole.
                guard !error.isWrongPassphrase else {
                    let reason: TerminalText =
                        key.hasRing ? "the key ring does not have its key" : "it has another passphrase"
                    Console.log("\(path): not checked, because \(reason)")
                    unchecked += 1
                    continue
                }
                lines[index].isWhole = false
            }
            if lines[index].isWhole == false { status = .damaged }
        }
        guard status == .done, unchecked > 0 else { return status }
        return opened > 0 ? .incomplete : .wrongPassphrase
    }
}

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
