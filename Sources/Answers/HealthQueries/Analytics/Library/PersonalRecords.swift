public import ByteText

/// A person's best days and longest streaks.
public struct PersonalRecords: Sendable, Equatable {
    /// The day with the greatest value of a metric.
    public struct Best: Sendable, Equatable {
        /// The day; the earliest of several.
        public let date: CivilDate
        /// The value in the metric's unit.
        public let value: Double
    }

    /// Consecutive days on which something happened; a day without data ends a streak.
    public struct Streak: Sendable, Equatable {
        /// The first day.
        public let start: CivilDate
        /// The last day.
        public let end: CivilDate
        /// Number of days.
        public var days: Int { end.daysSince1970 - start.daysSince1970 + 1 }
    }

    /// The best days by metric; for distances, these are totals of a day.
    public internal(set) var best: [Metric: Best] = [:]
    /// The day on which the most energy was burned, moving and at rest.
    public internal(set) var energy: Best?
    /// The longest streak of days with sleep.
    public internal(set) var sleepStreak: Streak?
    /// The longest streak of days with exercise.
    public internal(set) var exerciseStreak: Streak?

    /// Finds the records in rows of days in ascending order.
    init(_ rows: [AnalyticsRow]) {
        for row in rows {
            for (metric, amount) in row.amounts { Self.raise(&best[metric], row.date, amount.value) }
            let parts = [row[.energyActive], row[.energyResting]].compactMap { $0?.value }
            if !parts.isEmpty { Self.raise(&energy, row.date, parts.reduce(0, +)) }
        }
        sleepStreak = Self.streak(rows, .sleepTotal)
        exerciseStreak = Self.streak(rows, .exerciseMinutes)
    }

    private static func raise(_ best: inout Best?, _ date: CivilDate, _ value: Double) {
        if value > best?.value ?? 0 { best = Best(date: date, value: value) }
    }

    /// Returns the longest streak, the earliest of several.
    private static func streak(_ rows: [AnalyticsRow], _ metric: Metric) -> Streak? {
        var (longest, current): (Streak?, Streak?)
        for row in rows where row[metric].map({ $0.value > 0 }) ?? false {
            let isNext = current.map { $0.end.daysSince1970 + 1 == row.date.daysSince1970 } ?? false
            let streak = Streak(start: isNext ? current?.start ?? row.date : row.date, end: row.date)
            current = streak
            if streak.days > longest?.days ?? 0 { longest = streak }
        }
        return longest
    }
}

extension HealthStatsLibrary {
    /// Returns the personal records; nil if there are no rows.
    public func getHighscoreRecord() throws -> PersonalRecords? {
        let rows = try getAllDailyAnalytics()
        return rows.isEmpty ? nil : PersonalRecords(rows.reversed())
    }
}
