public import SystemIO

/// The progress of a schedule: the last complete run, and the run that is waiting.
public struct ScheduleProgress: Sendable, Equatable {
    /// The name of the destination.
    public var destination: String
    /// When a run was last complete, in seconds since 1970: verified, or with nothing new to export.
    public var done: Int?
    /// The reason why the due run could not be made yet; nil if none is waiting.
    public var reason: String?
    /// Whether the due run failed, and does not only wait for a drive or an export.
    public var hasFailed = false
    /// When the waiting run was first tried, in seconds since 1970.
    public var waiting: Int?
    /// The version of the source that was last exported: its lengths and its modification time.
    public var exported: String?

    /// Creates the progress of a schedule that has not run yet.
    public init(destination: String) { self.destination = destination }

    /// Returns whether a run is due.
    ///
    /// A recorded time that is after now was recorded by a clock that was wrong, and counts as unknown.
    ///
    /// - Parameters:
    ///   - schedule: The schedule.
    ///   - lastDue: The latest due instant that is not in the future.
    ///   - now: The current time, in seconds since 1970.
    public func isDue(_ schedule: ExportSchedule, lastDue: Int, at now: Int) -> Bool {
        [schedule.created, done ?? schedule.created].filter { $0 <= now }.allSatisfy { $0 < lastDue }
    }
}

extension ScheduleProgress: FileRecord {
    package static let blank = ScheduleProgress(destination: "")

    package static let fields: RecordFields<ScheduleProgress> = [
        .version("progress"), .field(\.destination, "destination", .text), .field(\.done, "done", .time),
        .field(\.reason, "reason", .text), .field(\.hasFailed, "failed", .flag, unless: false),
        .field(\.waiting, "waiting", .time), .field(\.exported, "exported", .text),
    ]
}

/// The progress of all schedules, in the state folder.
public struct ScheduleProgresses: Sendable {
    private let file: RecordFile<ScheduleProgress>

    /// Creates the collection in a state folder.
    public init(inState folder: BytePath) { file = RecordFile(folder, "schedules") }

    /// Returns the progress of the schedule of a destination.
    ///
    /// - Throws: `SystemError`.
    public func progress(_ destination: String) throws -> ScheduleProgress {
        try file.all().first { $0.destination == destination } ?? ScheduleProgress(destination: destination)
    }

    /// Records the progress of a schedule.
    ///
    /// - Throws: `SystemError`.
    public func save(_ progress: ScheduleProgress) throws {
        try file.replace({ $0.destination == progress.destination }, with: progress)
    }
}
