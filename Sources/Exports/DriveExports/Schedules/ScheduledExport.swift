import ByteText
import HealthArchive
import HealthFormats
import HealthModel

/// A schedule with its progress, at an instant.
public struct ScheduledExport: Sendable {
    /// The schedule.
    public let schedule: ExportSchedule
    /// The last complete run, and the run that is waiting.
    public let progress: ScheduleProgress
    /// Whether a run is due, or was due but could not be made.
    public let isDue: Bool
    /// The next due instant, in seconds since 1970.
    public let next: Int

    /// Creates the state of a schedule.
    init(_ schedule: ExportSchedule, _ progress: ScheduleProgress, in days: Days, at now: Int) {
        self.schedule = schedule
        self.progress = progress
        isDue = progress.isDue(schedule, lastDue: schedule.due.lastDue(at: now, in: days), at: now)
        next = schedule.due.nextDue(after: now, in: days)
    }
}

extension DriveExportOptions {
    /// Makes the options of an export that a schedule asks for.
    public init(_ schedule: ExportSchedule) {
        self.init()
        isScheduled = true
        isEncrypted = schedule.isEncrypted
        let known = ExportFormat.allCases.filter { schedule.formats.contains($0.rawValue) }
        if !known.isEmpty { formats = known }
        units = schedule.units
        isIncremental = schedule.isIncremental
        kept = schedule.keep
        if let period = schedule.period { selection = SampleSelection(in: .last(period)) }
    }
}
