public import ByteText
public import HealthModel
public import SystemIO

/// An export that is made repeatedly.
public struct ExportSchedule: Sendable, Equatable {
    /// The name of the destination, which has at most one schedule.
    public var destination: String
    /// When it is due.
    public var due: DueTimes
    /// The export, or the folder in which exports arrive.
    public var source: BytePath
    /// The names of the formats; empty for an encrypted archive.
    public var formats: [String] = []
    /// The units of values in tables and databases; nil for those of the source.
    public var units: MeasurementSystem?
    /// The file that contains the passphrase; nil if there is none.
    public var passphraseFile: BytePath?
    /// The command that prints the passphrase; nil if there is none.
    public var passphraseCommand: String?
    /// Whether to continue the newest archive.
    public var isIncremental = false
    /// The period of the samples to export, counted back from the day of the export; nil for all.
    public var period: CalendarPeriod?
    /// The number of full exports to keep; nil for all.
    public var keep: Int?
    /// The time when it was set, in seconds since 1970: nothing is due before.
    public var created: Int

    /// Creates a schedule.
    public init(destination: String, due: DueTimes, source: BytePath, created: Int) {
        self.destination = destination
        self.due = due
        self.source = source
        self.created = created
    }

    /// Whether archives are encrypted.
    public var isEncrypted: Bool { formats.isEmpty }
}

extension ExportSchedule: FileRecord {
    package static let blank = ExportSchedule(
        destination: "", due: DueTimes(.daily, at: TimeOfDay()), source: "", created: 0)

    package static let fields: RecordFields<ExportSchedule> = [
        .version("schedule"), .field(\.destination, "destination", .text.when(Destination.isName)),
        .field(\.due.recurrence, "every", .mapped(.text, Recurrence.init(parsing:), \.text)),
        .field(\.due.time, "time", .mapped(.text, TimeOfDay.init(parsing:), \.text)),
        .field(\.source, "source", .absolutePath),
        .member(\.formats, "formats", .list(of: .text)),
        .field(\.units, "units", .name), .field(\.passphraseFile, "passphraseFile", .absolutePath),
        .field(\.passphraseCommand, "passphraseCommand", .text),
        .field(\.isIncremental, "incremental", .flag),
        .field(\.period, "last", .mapped(.text, CalendarPeriod.init(parsing:), \.text)),
        .field(\.keep, "keep", .number(1...(.max))), .field(\.created, "created", .time),
    ]
}
