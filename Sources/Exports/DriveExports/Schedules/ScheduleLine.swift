import CivilTime
import HealthTypes
import JSONText
import SystemIO

extension ExportSchedule {
    /// The schedule as a line of JSON.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("schedule", 1)
            writer.member("destination", destination)
            writer.member("recurrence", due.recurrence.text)
            writer.member("time", due.time.text)
            writer.member("source", source)
            writer.member("formats", formats)
            if let units { writer.member("units", units.rawValue) }
            if let passphraseFile { writer.member("passphraseFile", passphraseFile) }
            if let passphraseCommand { writer.member("passphraseCommand", passphraseCommand) }
            writer.member("incremental", isIncremental)
            writer.member("range", range.rawValue)
            if let keep { writer.member("keep", keep) }
            writer.member("created", created)
        }
        return writer.bytes
    }

    /// Reads a line; nil if this version does not support it.
    init?(line: [UInt8]) {
        guard let fields = RecordFields(line: line) else { return nil }
        guard fields.numbers["schedule"] == 1, let destination = fields.text("destination"),
            Destination.isName(destination),
            let recurrence = fields.text("recurrence").flatMap({ Recurrence(parsing: $0) }),
            let time = fields.text("time").flatMap({ TimeOfDay(parsing: $0) }),
            let source = fields.paths["source"], source.isAbsolute,
            let range = fields.text("range").flatMap({ ExportRange(rawValue: $0) }),
            let created = fields.numbers["created"], Timestamp.writableSeconds.contains(created),
            let isIncremental = fields.flags["incremental"], fields.numbers["keep"].map({ $0 > 0 }) ?? true,
            fields.paths["passphraseFile"]?.isAbsolute ?? true,
            fields.paths["passphraseCommand"].map({ $0.text != nil }) ?? true,
            fields.text("units").map({ MeasurementSystem(rawValue: $0) != nil }) ?? true,
            fields.others.isDisjoint(with: [
                "formats", "units", "keep", "passphraseFile", "passphraseCommand",
            ])
        else { return nil }
        self.init(
            destination: destination, due: DueTimes(recurrence, at: time), source: source, created: created)
        self.formats = fields.lists["formats"] ?? []
        units = fields.text("units").flatMap { MeasurementSystem(rawValue: $0) }
        passphraseFile = fields.paths["passphraseFile"]
        passphraseCommand = fields.text("passphraseCommand")
        self.isIncremental = isIncremental
        self.range = range
        keep = fields.numbers["keep"]
    }
}
