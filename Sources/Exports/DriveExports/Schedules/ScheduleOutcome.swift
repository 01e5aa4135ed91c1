import ByteText
public import SystemIO

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

    /// What the progress of the schedule records, without names and values of samples.
    var reason: String {
        let reason: TerminalText =
            switch self {
            case .nothingArrived(let path): "no export in \(path)"
            case .notComplete(let path): "\(path) is not a complete export"
            case .nothingInRange(let path): "the newest export in \(path) has no samples in this range"
            case .failure(let error): "\(ErrorKind(error).reason)"
            }
        return reason.text
    }

    /// Whether somebody needs to act; false if the run only waits, as for a drive.
    var isFailure: Bool {
        // What was interrupted is continued by the next run.
        if case .failure(let error) = self {
            ![.tryLater, .inUse, .interrupted].contains(ErrorKind(error))
        } else {
            false
        }
    }
}

/// How the run of a schedule ended.
public enum ScheduleOutcome: Sendable {
    /// The export was made, or there was nothing new.
    case done(DriveExport.Outcome)
    /// The export stays due.
    case delayed(ScheduleDelay)
}
