import HealthArchive
public import HealthExport
public import SystemIO

/// The exports that schedules ask for.
///
/// ```swift
/// let exports = DueExports(configuration, state: stateFolder)
/// for export in try exports.all() where export.isDue {
///     let outcome = try await exports.run(export) { schedule, source in MyAttendant(schedule, source) }
/// }
/// ```
///
/// Whoever watches for exports itself calls ``export(_:version:for:attendant:)`` with each that arrives.
public struct DueExports: Sendable {
    /// The settings of each export.
    public var settings = RunSettings()

    private let schedules: Schedules
    private let destinations: Destinations
    private let state: StateFolder
    private var progresses: ScheduleProgresses { ScheduleProgresses(inState: state.path) }

    /// Creates the collection of scheduled exports.
    ///
    /// - Parameters:
    ///   - configuration: The folder with destinations and schedules.
    ///   - state: The folder with the history and the progress of schedules.
    public init(_ configuration: ConfigurationFolder, state: StateFolder) {
        schedules = Schedules(configuration)
        destinations = Destinations(configuration)
        self.state = state
    }

    /// Returns all schedules with their progress, sorted by destination.
    ///
    /// - Throws: `SystemError`; ``DestinationError`` with `unknownRecord`.
    public func all() throws -> [ScheduledExport] {
        let (days, now) = (try LocalZone.days(), SystemClock.now())
        var exports: [ScheduledExport] = []
        for schedule in try schedules.all() {
            let progress = try progresses.progress(schedule.destination)
            exports.append(ScheduledExport(schedule, progress, in: days, at: now))
        }
        return exports
    }

    /// Exports what has arrived at the source of a schedule, and records the progress.
    ///
    /// An export that cannot be made stays due: its progress has the reason, and since when it waits.
    ///
    /// - Parameters:
    ///   - scheduled: The export.
    ///   - attendant: Returns what answers for the export of a source that a schedule asks for.
    /// - Throws: `SystemError` if the progress of a delay cannot be recorded.
    public func run(
        _ scheduled: ScheduledExport,
        attendant: (_ schedule: ExportSchedule, _ source: BytePath) throws -> any DriveExportAttendant
    ) async throws -> ScheduleOutcome {
        let schedule = scheduled.schedule
        DebugLog.log("schedule of \(schedule.destination): looking at \(schedule.source)")
        let delay: ScheduleDelay
        var inbox = Inbox(schedule.source)
        let found = inbox.look()
        // What is still being copied may be the newest export.
        if let incomplete = found.first(where: { !$0.isExport }),
            found.allSatisfy({ !$0.isNewer(than: incomplete) })
        {
            delay = .notComplete(incomplete.path)
        } else if let export = found.first {
            do {
                return .done(
                    try await self.export(
                        export.path, version: export.version, for: schedule,
                        attendant: try attendant(schedule, export.path)))
            } catch {
                let isOutOfRange = (error as? VaultError)?.code == .nothingSelected
                delay = isOutOfRange ? .nothingInRange(schedule.source) : .failure(error)
            }
        } else {
            delay = .nothingArrived(schedule.source)
        }
        // Another process may have recorded a run since.
        var progress = try progresses.progress(schedule.destination)
        progress.waiting = progress.waiting ?? SystemClock.now()
        progress.reason = delay.reason
        progress.hasFailed = delay.isFailure
        try progresses.save(progress)
        return .delayed(delay)
    }

    /// Exports a source to the destination of a schedule, whether or not it is due, and records that it was done.
    ///
    /// - Parameters:
    ///   - source: The export, such as one that has just arrived.
    ///   - version: A text that differs once the source has changed, see ``Inbox``. The same version is not exported
    ///     again while its last export is still at the destination.
    ///   - schedule: The schedule.
    ///   - attendant: Answers questions, and is told what happens.
    /// - Throws: What the export throws; the progress is then unchanged.
    public func export(
        _ source: BytePath, version: String, for schedule: ExportSchedule,
        attendant: any DriveExportAttendant
    ) async throws -> DriveExport.Outcome {
        let began = SystemClock.now()
        let before = try progresses.progress(schedule.destination)
        var options = DriveExportOptions(schedule)
        options.settings = settings
        let export = try DriveExport(
            of: source, to: destinations.destination(schedule.destination), options: options, state: state,
            attendant: attendant)
        let outcome: DriveExport.Outcome
        // Exporting the same source again would only take up space, provided that the last export still exists.
        if version == before.exported, try export.isThere() {
            try export.recordNothingNew()
            outcome = .nothingNew
        } else {
            outcome = try await export.run()
        }
        try recordRun(version, began, of: schedule, since: before)
        return outcome
    }

    /// Records a complete run, unless another process has recorded one that began later.
    ///
    /// - Parameter before: The progress as it was when the run began, which may be hours ago.
    private func recordRun(
        _ version: String, _ began: Int, of schedule: ExportSchedule, since before: ScheduleProgress
    ) throws {
        var progress = try progresses.progress(schedule.destination)
        if let done = progress.done, done >= began, done <= SystemClock.now(),
            done != before.done || progress.exported != before.exported
        {
            return
        }
        progress.done = began
        progress.exported = version
        progress.reason = nil
        progress.hasFailed = false
        progress.waiting = nil
        try progresses.save(progress)
    }
}
