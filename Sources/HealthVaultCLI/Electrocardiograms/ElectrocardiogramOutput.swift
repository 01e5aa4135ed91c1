import HealthModel
import HealthQueries
import JSONText
import SampleBatches
import SystemIO
import VaultContainer

/// The output of `ecg`.
struct ElectrocardiogramOutput {
    private let list: ElectrocardiogramList
    private let time: LocalTime
    private let path: BytePath

    init(_ list: ElectrocardiogramList, _ time: LocalTime, path: BytePath) {
        self.list = list
        self.time = time
        self.path = path
    }

    /// Returns the index of the recording with a number, from 1, or with a file name; nil if there is none.
    func number(of text: String) -> Int? {
        if let number = Int(text), number >= 1, number <= list.recordings.count { return number - 1 }
        return list.recordings.firstIndex { $0.path == text || Self.fileName($0) == text }
    }

    private static func fileName(_ recording: Electrocardiogram) -> String {
        recording.path.split(separator: "/").last.map(String.init) ?? recording.path
    }

    private static func seconds(_ recording: Electrocardiogram) -> String {
        recording.duration.map { NumberText.rounded($0, digits: 1) + " s" } ?? ""
    }

    var listText: TerminalText {
        var table = TextTable([.right, .left, .left, .right, .left])
        let titles: [TerminalText] = ["", "recorded", "classification", "length", "file"]
        let rows = list.recordings.enumerated().map { number, recording -> [TerminalText] in
            [
                "\(number + 1)", "\(time.text(recording.recordedDate))", "\(recording.classificationText)",
                "\(Self.seconds(recording))", "\(Self.fileName(recording))",
            ]
        }
        var lines = rows.isEmpty ? [] : table.lines([titles] + rows)
        for file in list.unreadable { lines.append("warning: \(file.path) cannot be read: \(file.error)") }
        return .lines(lines)
    }

    var listCSV: [String] {
        let titles = [
            "number", "recorded", "classification", "classificationText", "seconds", "hertz", "file",
        ]
        let rows = list.recordings.enumerated().map { number, recording in
            [
                String(number + 1), recorded(recording), "\(recording.classification)",
                recording.classificationText,
                recording.duration.map { NumberText.rounded($0, digits: 3) } ?? "",
                recording.samplingFrequency.map { NumberText.plain($0) } ?? "", recording.path,
            ]
        }
        return ([titles] + rows).map { CSVText.line($0) }
    }

    private func recorded(_ recording: Electrocardiogram) -> String {
        recording.recordedDate.map { time.days.timestamp($0.seconds).iso } ?? ""
    }

    var listJSON: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            writer.key("recordings")
            writer.array { writer in
                for (number, recording) in list.recordings.enumerated() {
                    writer.object { writer in facts(recording, number, &writer) }
                }
            }
            writer.member("warnings", list.unreadable.map { "\($0.path) cannot be read: \($0.error)" })
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func facts(_ recording: Electrocardiogram, _ number: Int, _ writer: inout JSONWriter) {
        writer.member("number", number + 1)
        writer.member("file", recording.path)
        writer.member("recorded", recorded(recording))
        writer.member("classification", "\(recording.classification)")
        writer.member("classificationText", recording.classificationText)
        writer.member("symptoms", recording.symptoms)
        if let frequency = recording.samplingFrequency {
            writer.key("hertz")
            NumberText.write(frequency, digits: 3, to: &writer)
        }
        if let duration = recording.duration {
            writer.key("seconds")
            NumberText.write(duration, digits: 3, to: &writer)
        }
        if let device = recording.device { writer.member("device", device) }
        if let version = recording.softwareVersion { writer.member("softwareVersion", version) }
        if let lead = recording.lead { writer.member("lead", lead) }
        writer.member("voltages", recording.voltages.count)
    }

    func text(_ number: Int) -> TerminalText {
        let recording = list.recordings[number]
        let range = recording.voltages.microvolts
        var rows: [(String, String)] = [
            ("file", recording.path), ("recorded", time.text(recording.recordedDate)),
            ("classification", recording.classificationText),
            ("symptoms", recording.symptoms.joined(separator: ", ")),
            ("length", Self.seconds(recording)),
            ("rate", recording.samplingFrequency.map { NumberText.plain($0) + " Hz" } ?? ""),
            ("voltages", String(recording.voltages.count)),
            ("lead", recording.lead ?? ""), ("device", recording.device ?? ""),
            ("software", recording.softwareVersion ?? ""),
        ]
        if let least = range.min(), let greatest = range.max() {
            rows.append(("range", "\(NumberText.rounded(least)) to \(NumberText.rounded(greatest)) µV"))
        }
        var table = TextTable([.left, .left])
        return .lines(table.lines(rows.filter { !$0.1.isEmpty }.map { ["\($0.0)", "\($0.1)"] }))
    }

    func csv(_ number: Int) -> [String] {
        [CSVText.line(["seconds", "microvolts"])]
            + list.recordings[number].voltages.map { voltage in
                CSVText.line([
                    voltage.timeSinceStart.map { NumberText.rounded($0, digits: 6) } ?? "",
                    NumberText.rounded(voltage.microvolts, digits: 6),
                ])
            }
    }

    func json(_ number: Int) -> String {
        let recording = list.recordings[number]
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            facts(recording, number, &writer)
            writer.key("microvolts")
            writer.array { writer in
                for value in recording.voltages.microvolts {
                    NumberText.write(value, digits: 3, to: &writer)
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
