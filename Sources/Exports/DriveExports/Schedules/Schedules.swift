import SystemIO

/// The schedules that a user has set, one for each destination.
public struct Schedules: Sendable {
    private let file: RecordLines

    /// Creates the collection of schedules in a folder.
    public init(_ folder: ConfigurationFolder) { file = RecordLines(folder.path, "schedules") }

    /// Returns all schedules, sorted by destination.
    ///
    /// - Throws: `SystemError`; ``DestinationError`` with `unknownRecord`.
    public func all() throws -> [ExportSchedule] {
        try file.all({ ExportSchedule(line: $0) }, else: { DestinationError(.unknownRecord, "", path: $0) })
            .sorted { $0.destination < $1.destination }
    }

    /// Sets the schedule of its destination, replacing an existing one.
    ///
    /// - Throws: `SystemError`; ``DestinationError`` with `unknownRecord`.
    public func set(_ schedule: ExportSchedule) throws {
        _ = try all()
        try file.change { lines in
            lines.removeAll { ExportSchedule(line: $0)?.destination == schedule.destination }
            lines.append(schedule.line)
        }
    }

    /// Removes the schedule of a destination.
    ///
    /// - Returns: false if the destination has none.
    /// - Throws: `SystemError`; ``DestinationError`` with `unknownRecord`.
    public func remove(_ destination: String) throws -> Bool {
        _ = try all()
        var isRemoved = false
        try file.change { lines in
            let rest = lines.filter { ExportSchedule(line: $0)?.destination != destination }
            isRemoved = rest.count < lines.count
            lines = rest
        }
        return isRemoved
    }
}
