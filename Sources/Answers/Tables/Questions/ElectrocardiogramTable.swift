import ByteText
package import HealthModel
package import HealthQueries
package import SystemIO

/// The tables of `ecg`.
package enum ElectrocardiogramTable: Sendable {
    /// A recording with its place in the list.
    package typealias Row = EnumeratedSequence<[Electrocardiogram]>.Element

    /// Returns the columns of a list.
    package static func columns(_ time: LocalTime) -> [TableColumn<Row>] {
        [
            TableColumn("number", in: [.text, .csv, .json], title: "") { $0.offset + 1 },
            TableColumn("file", in: .json) { $0.element.path },
            TableColumn("recordedDate", title: "recorded", shown: { time.text($0) }) { row in
                row.element.recordedDate.map { time.days.timestamp($0.seconds) }
            },
            TableColumn("file", in: .arrow) { $0.element.path },
            TableColumn("classification", in: [.csv, .json, .arrow], isNullable: true) { row in
                row.element.classification.map { "\($0)" }
            },
            TableColumn("classificationText", in: [.csv, .json, .arrow]) { $0.element.classificationText },
            TableColumn("classification", in: .text) { $0.element.classificationTitle },
            TableColumn("durationSeconds", in: .text, title: "length", isNumber: true) { length($0.element) },
            TableColumn("durationSeconds", in: .csv) { row in
                row.element.duration.map { NumberText.rounded($0, digits: 3) }
            },
            TableColumn("symptoms", in: [.json, .arrow]) { $0.element.symptoms },
            TableColumn("samplingFrequency", in: [.csv, .json, .arrow]) { $0.element.samplingFrequency },
            TableColumn("file", in: .text) { RecordingName.file($0.element.path) },
            TableColumn("file", in: .csv) { $0.element.path },
            TableColumn("durationSeconds", in: [.json, .arrow]) { $0.element.duration },
            TableColumn("device", in: [.json, .arrow]) { $0.element.device },
            TableColumn("softwareVersion", in: [.json, .arrow]) { $0.element.softwareVersion },
            TableColumn("lead", in: [.json, .arrow]) { $0.element.lead },
            TableColumn("voltages", in: .json) { $0.element.voltages.count },
            TableColumn("microvolts", in: .arrow) { $0.element.voltages.microvolts },
        ]
    }

    /// Returns a note on files that are not listed, without its full stop.
    package static func note(onCopies copies: Int) -> String {
        copies == 1
            ? "1 file with the content of another one is not listed"
            : "\(copies) files with the content of others are not listed"
    }

    private static func length(_ recording: Electrocardiogram) -> String? {
        recording.duration.map { NumberText.rounded($0, digits: 1) + " s" }
    }

    /// Returns a table of all recordings.
    package static func list(
        _ list: ElectrocardiogramList, _ time: LocalTime, path: BytePath
    ) -> Table<Row> {
        var table = Table("recordings", list.recordings.enumerated(), columns(time))
        table.warnings = list.unreadable.map { "\($0.path) cannot be read: \($0.error)" }
        table.facts = [("path", path)]
        if list.copies > 0 { table.notes = ["\(note(onCopies: list.copies))"] }
        table.closing = [("warnings", table.warnings.map(\.text))]
        table.hasTitles = !list.recordings.isEmpty
        return table
    }

    /// Returns a table of what is known of a recording, for text.
    package static func facts(
        _ recording: Electrocardiogram, _ time: LocalTime
    ) -> Table<(name: String, value: String)> {
        let range = recording.voltages.microvolts
        let bounds = range.min().flatMap { least in
            range.max().map { "\(NumberText.short(least)) to \(NumberText.short($0)) µV" }
        }
        let rows: [(name: String, value: String?)] = [
            ("file", recording.path), ("recorded", time.text(recording.recordedDate)),
            ("classification", recording.classificationTitle),
            ("symptoms", recording.symptoms.joined(separator: ", ")), ("length", length(recording)),
            ("rate", recording.samplingFrequency.map { NumberText.plain($0) + " Hz" }),
            ("voltages", String(recording.voltages.count)), ("lead", recording.lead),
            ("device", recording.device), ("software", recording.softwareVersion), ("range", bounds),
        ]
        let known = rows.compactMap { name, value in value.map { (name: name, value: $0) } }.filter {
            !$0.value.isEmpty
        }
        var table = Table(
            nil, known, [TableColumn("name") { $0.name }, TableColumn("value") { $0.value }])
        table.hasTitles = false
        return table
    }

    /// Returns a table of the voltages of a recording: in CSV a row each, in JSON a fact among those about the recording.
    package static func voltages(
        _ row: Row, _ time: LocalTime, path: BytePath
    ) -> Table<ElectrocardiogramVoltages.Measurement> {
        let voltages = row.element.voltages
        var table = Table(
            nil, voltages,
            [TableColumn("seconds") { $0.timeSinceStart }, TableColumn("microvolts") { $0.microvolts }])
        let members = Table(nil, [row], columns(time)).object(row).members
        table.facts = [("path", path)] + members + [("microvolts", voltages.microvolts)]
        return table
    }
}

extension Electrocardiogram {
    /// The result for people: as written, and in English if it is in another language.
    package var classificationTitle: String {
        guard let classification, classification != .notSet else { return classificationText }
        let words = "\(classification)".reduce(into: "") {
            $0 += $1.isUppercase ? " \($1.lowercased())" : "\($1)"
        }
        let own = Substring(classificationText.lowercased())
        let isEnglish =
            own.hasPrefix(words) || words.hasPrefix(own) || own.contains(text: "heart rate")
            || own.contains(text: "recording")
        return isEnglish ? classificationText : "\(classificationText) (\(words))"
    }
}

/// The names of recordings.
package enum RecordingName: Sendable {
    /// Returns the name of the file without its folder.
    static func file(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Returns whether a name is the path of a file, or its last component.
    package static func matches(_ path: String, _ name: String) -> Bool {
        path == name || file(path) == name
    }
}
