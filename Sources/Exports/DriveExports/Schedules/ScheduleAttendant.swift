public import SystemIO

/// Answers what scheduled exports ask.
public protocol ScheduleAttendant: Sendable {
    /// Returns what answers for the export of a source that a schedule asks for.
    func attendant(for schedule: ExportSchedule, source: BytePath) throws -> any DriveExportAttendant

    /// Returns what the progress of a schedule records of a delay, without names and values of samples.
    func reason(for delay: ScheduleDelay) -> String

    /// Returns whether an error needs somebody to act; false if the run only waits, as for a drive.
    func isFailure(_ error: any Error) -> Bool
}

/// The reason why a scheduled export could not be made, and stays due.
public enum ScheduleDelay: Sendable {
    /// No export has arrived at this path.
    case nothingArrived(BytePath)
    /// The newest file is not a complete export, or not yet.
    case notComplete(BytePath)
    /// The newest export at this path has no samples in the range of the schedule.
    case nothingInRange(BytePath)
    /// The export failed.
    case failure(any Error)
}

/// How the run of a schedule ended.
public enum ScheduleOutcome: Sendable {
    /// The export was made, or there was nothing new.
    case done(DriveExport.Outcome)
    /// The export stays due.
    case delayed(ScheduleDelay)
}
