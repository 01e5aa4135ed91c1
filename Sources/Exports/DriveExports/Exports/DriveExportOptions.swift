public import HealthArchive
public import HealthExport
public import HealthFHIR
public import HealthFormats
public import HealthModel
public import SampleBatches
public import SystemIO

/// What to export to a destination, and how.
public struct DriveExportOptions: Sendable {
    /// Whether to write an encrypted archive.
    public var isEncrypted = true
    /// The formats of an unencrypted export.
    public var formats: [ExportFormat] = [.ndjson]
    /// How samples are written as FHIR.
    public var fhir = FHIROptions()
    /// The units of values in tables and databases; nil for those of the source.
    public var units: MeasurementSystem?
    /// The samples to export; nil for everything.
    public var selection: SampleSelection?
    /// The rule for putting samples into batches.
    public var batching = BatchOptions(span: .byLength)
    /// Whether to write only what the newest archive at the destination lacks.
    public var isIncremental = false
    /// Whether an incremental export drops samples that the source no longer has.
    public var isMirror = false
    /// The number of verified full exports to keep; nil for all.
    public var kept: Int?
    /// Whether to start over instead of continuing an interrupted export.
    public var restarts = false
    /// The name of the interrupted export that is continued; nil for one of the day of the source, if there is one.
    public var continuing: BytePath?
    /// Whether a schedule requested the export.
    public var isScheduled = false
    /// How it runs; progress, interruption and announcements are the attendant's and the export's own.
    public var settings = RunSettings()

    /// Makes options: a full, encrypted export of everything.
    public init() {}

    /// Makes the options that continue an interrupted export.
    public init(continuing record: ExportRecord) {
        isEncrypted = record.isEncrypted
        batching = record.batching
        kept = record.kept
        continuing = record.target.name
    }

    /// The format as the history records it.
    var formatName: String {
        isEncrypted ? HistoryRecord.encrypted : formats.map(\.rawValue).joined(separator: ",")
    }

    /// The units as the history records them; nil if none of the formats takes them.
    var recordedUnits: MeasurementSystem? {
        !isEncrypted && formats.contains(where: \.takesUnits) ? units : nil
    }
}
