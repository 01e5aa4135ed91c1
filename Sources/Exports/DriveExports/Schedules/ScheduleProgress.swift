import CivilTime
import JSONText
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

    /// The progress as a line of JSON.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("progress", 1)
            writer.member("destination", destination)
            if let done { writer.member("done", done) }
            if let reason { writer.member("reason", reason) }
            if hasFailed { writer.member("failed", true) }
            if let waiting { writer.member("waiting", waiting) }
            if let exported { writer.member("exported", exported) }
        }
        return writer.bytes
    }

    /// Reads a line; nil if this version does not support it.
    init?(line: [UInt8]) {
        guard let fields = RecordFields(line: line) else { return nil }
        guard fields.numbers["progress"] == 1, let destination = fields.text("destination") else {
            return nil
        }
        self.init(destination: destination)
        for (name, place) in [("done", \ScheduleProgress.done), ("waiting", \.waiting)] {
            guard let number = fields.numbers[name] else { continue }
            guard Timestamp.writableSeconds.contains(number) else { return nil }
            self[keyPath: place] = number
        }
        reason = fields.text("reason")
        hasFailed = fields.flags["failed"] ?? false
        exported = fields.text("exported")
    }
}

/// The progress of all schedules, in the state folder.
public struct ScheduleProgresses: Sendable {
    private let file: RecordLines

    /// Creates the collection in a state folder.
    public init(inState folder: BytePath) { file = RecordLines(folder, "schedules") }

    /// Returns the progress of the schedule of a destination.
    ///
    /// - Throws: `SystemError`.
    public func progress(_ destination: String) throws(SystemError) -> ScheduleProgress {
        try file.all().compactMap { ScheduleProgress(line: $0) }.first { $0.destination == destination }
            ?? ScheduleProgress(destination: destination)
    }

    /// Records the progress of a schedule.
    ///
    /// - Throws: `SystemError`.
    public func save(_ progress: ScheduleProgress) throws {
        try file.change { lines in
            lines.removeAll { ScheduleProgress(line: $0)?.destination == progress.destination }
            lines.append(progress.line)
        }
    }
}
