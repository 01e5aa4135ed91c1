import JSONText
import SampleBatches
import SystemIO
import VaultContainer

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
            if let passphraseFile { writer.member("passphraseFile", passphraseFile) }
            if let passphraseCommand { writer.member("passphraseCommand", passphraseCommand) }
            writer.member("incremental", isIncremental)
            writer.member("range", range.rawValue)
            if let keep { writer.member("keep", keep) }
            writer.member("created", created)
        }
        return writer.bytes
    }

    /// Reads a line; nil if it is not one that this version knows.
    init?(line: [UInt8]) {
        var texts: [String: BytePath] = [:]
        var numbers: [String: Int] = [:]
        var flags: [String: Bool] = [:]
        var formats: [String] = []
        var reader = JSONReader(line)
        do {
            try reader.object { reader, name in
                switch try reader.kind() {
                case .number: numbers[name] = try reader.integer()
                case .bool: flags[name] = try reader.bool()
                case .array: try reader.array { reader in formats.append(try reader.string()) }
                default: texts[name] = try reader.path()
                }
            }
            try reader.finish()
        } catch { return nil }
        guard numbers["schedule"] == 1, let destination = texts["destination"]?.text,
            Destination.isName(destination),
            let recurrence = (texts["recurrence"]?.text).flatMap({ Recurrence(parsing: $0) }),
            let time = (texts["time"]?.text).flatMap({ TimeOfDay(parsing: $0) }),
            let source = texts["source"], source.isAbsolute,
            let range = (texts["range"]?.text).flatMap({ ExportRange(rawValue: $0) }),
            let created = numbers["created"], Timestamp.writableSeconds.contains(created),
            let isIncremental = flags["incremental"], numbers["keep"].map({ $0 > 0 }) ?? true
        else { return nil }
        self.init(
            destination: destination, due: DueTimes(recurrence, at: time), source: source, created: created)
        self.formats = formats
        passphraseFile = texts["passphraseFile"]
        passphraseCommand = texts["passphraseCommand"]?.text
        self.isIncremental = isIncremental
        self.range = range
        keep = numbers["keep"]
    }
}
