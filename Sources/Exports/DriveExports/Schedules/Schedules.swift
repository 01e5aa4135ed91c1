public import SystemIO

/// The schedules that a user has set, one for each destination.
public struct Schedules: Sendable {
    private let file: RecordFile<ExportSchedule>

    /// Creates the collection of schedules in a folder.
    public init(_ folder: ConfigurationFolder) {
        file = RecordFile(folder.path, "schedules") { DestinationError(.unknownRecord, "", path: $0) }
    }

    /// Returns all schedules, sorted by destination.
    ///
    /// - Throws: `SystemError`; ``DestinationError`` with `unknownRecord`.
    public func all() throws -> [ExportSchedule] {
        try file.all().sorted { $0.destination < $1.destination }
    }

    /// Sets the schedule of its destination, replacing an existing one.
    ///
    /// - Throws: `SystemError`; ``DestinationError`` with `unknownRecord`.
    public func set(_ schedule: ExportSchedule) throws {
        try file.replace({ $0.destination == schedule.destination }, with: schedule)
    }

    /// Removes the schedule of a destination.
    ///
    /// - Returns: false if the destination has none.
    /// - Throws: `SystemError`; ``DestinationError`` with `unknownRecord`.
    public func remove(_ destination: String) throws -> Bool {
        try file.replace { $0.destination == destination }
    }
}
