import HealthModel
package import HealthQueries
import HealthVault
import JSONText
package import SystemIO

/// The output of `ecg`.
package struct ElectrocardiogramOutput {
    private let list: ElectrocardiogramList
    private let time: LocalTime
    private let path: BytePath

    package init(_ list: ElectrocardiogramList, _ time: LocalTime, path: BytePath) {
        self.list = list
        self.time = time
        self.path = path
    }

    /// The warnings about files that cannot be read.
    package var warnings: [TerminalText] { list.unreadable.map { "\($0.path) cannot be read: \($0.error)" } }

    private static func seconds(_ recording: Electrocardiogram) -> String {
        recording.duration.map { NumberText.rounded($0, digits: 1) + " s" } ?? ""
    }

    package var listText: TerminalText {
        var table = TextTable([.right, .left, .left, .right, .left])
        let titles: [TerminalText] = ["", "recorded", "classification", "length", "file"]
        let rows = list.recordings.enumerated().map { number, recording -> [TerminalText] in
            [
                "\(number + 1)", "\(time.text(recording.recordedDate))", "\(recording.classificationText)",
                "\(Self.seconds(recording))", "\(RecordingName.file(recording.path))",
            ]
        }
        var lines = rows.isEmpty ? [] : table.lines([titles] + rows)
        lines += warnings.map { "warning: \($0)" }
        return .lines(lines)
    }

    package var listCSV: [[UInt8]] {
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
        return ([titles] + rows).map { CSVCell.line($0) }
    }

    private func recorded(_ recording: Electrocardiogram) -> String {
        recording.recordedDate.map { time.iso($0) } ?? ""
    }

    package var listJSON: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            writer.key("recordings")
            writer.array { writer in
                for (number, recording) in list.recordings.enumerated() {
                    writer.object { writer in facts(recording, number, &writer) }
                }
            }
            writer.member("warnings", warnings.map(\.text))
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func facts(_ recording: Electrocardiogram, _ number: Int, _ writer: inout JSONWriter) {
        writer.member("number", number + 1)
        writer.member("file", recording.path)
        if recording.recordedDate != nil { writer.member("recorded", recorded(recording)) }
        writer.member("classification", "\(recording.classification)")
        writer.member("classificationText", recording.classificationText)
        writer.member("symptoms", recording.symptoms)
        if let frequency = recording.samplingFrequency {
            writer.key("hertz")
            NumberText.write(frequency, to: &writer)
        }
        if let duration = recording.duration {
            writer.key("seconds")
            NumberText.write(duration, to: &writer)
        }
        if let device = recording.device { writer.member("device", device) }
        if let version = recording.softwareVersion { writer.member("softwareVersion", version) }
        if let lead = recording.lead { writer.member("lead", lead) }
        writer.member("voltages", recording.voltages.count)
    }

    package func text(_ number: Int) -> TerminalText {
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
            rows.append(("range", "\(NumberText.short(least)) to \(NumberText.short(greatest)) µV"))
        }
        var table = TextTable([.left, .left])
        return .lines(table.lines(rows.filter { !$0.1.isEmpty }.map { ["\($0.0)", "\($0.1)"] }))
    }

    package func csv(_ number: Int) -> [[UInt8]] {
        [CSVCell.line(["seconds", "microvolts"])]
            + list.recordings[number].voltages.map { voltage in
                CSVCell.line([
                    voltage.timeSinceStart.map { NumberText.precise($0) } ?? "",
                    NumberText.precise(voltage.microvolts),
                ])
            }
    }

    package func json(_ number: Int) -> String {
        let recording = list.recordings[number]
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("path", path)
            facts(recording, number, &writer)
            writer.key("microvolts")
            writer.array { writer in
                for value in recording.voltages.microvolts {
                    NumberText.write(value, to: &writer)
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// The names of recordings.
package enum RecordingName {
    /// Returns the name of the file without its folder.
    static func file(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Returns whether a name is the path of a file, or its last component.
    package static func matches(_ path: String, _ name: String) -> Bool {
        path == name || file(path) == name
    }
}
