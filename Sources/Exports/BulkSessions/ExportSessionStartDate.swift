public import ByteText
import HealthArchive
public import SampleBatches

/// The start of a session.
public enum ExportSessionStartDate: Sendable, Equatable {
    /// The oldest sample.
    case oldestSample
    /// This distance before the session's end; a zero distance means ``oldestSample``.
    case last(CalendarDistance)
    /// This instant.
    case absolute(Timestamp)

    /// A distance in calendar units (UTC).
    public struct CalendarDistance: Sendable, Equatable {
        /// Years.
        public var years: Int
        /// Months.
        public var months: Int
        /// Weeks.
        public var weeks: Int
        /// Days.
        public var days: Int

        /// The limit on each unit; larger values would exceed the calendar.
        private static let most = 4_000_000

        /// Creates a distance.
        public init(years: Int = 0, months: Int = 0, weeks: Int = 0, days: Int = 0) {
            func clamp(_ count: Int) -> Int { min(max(count, -Self.most), Self.most) }
            self.years = clamp(years)
            self.months = clamp(months)
            self.weeks = clamp(weeks)
            self.days = clamp(days)
        }

        /// Returns the instant that lies this distance before another instant, at the same time of day.
        ///
        /// Years and months are subtracted first (if the resulting month has no such day, its last day is used), then
        /// weeks and days.
        public func before(_ instant: Timestamp) -> Timestamp {
            let day = Timestamp(seconds: instant.seconds, offsetMinutes: 0).day
            let period = CalendarPeriod(months: 12 * years + months, days: 7 * weeks + days)
            let start = period.start(before: day).start.seconds + instant.seconds - day.start.seconds
            // Keeps the year to four digits with any offset.
            let bounds = Timestamp.writable(offsetMinutes: instant.offsetMinutes)
            return Timestamp(
                seconds: min(max(start, bounds.lowerBound), bounds.upperBound - 1),
                offsetMinutes: instant.offsetMinutes)
        }
    }

    /// The given number of years before the session's end.
    public static func last(numYears: Int) -> Self { .last(CalendarDistance(years: numYears)) }
    /// The given number of months before the session's end.
    public static func last(numMonths: Int) -> Self { .last(CalendarDistance(months: numMonths)) }
    /// The given number of weeks before the session's end.
    public static func last(numWeeks: Int) -> Self { .last(CalendarDistance(weeks: numWeeks)) }
    /// The given number of days before the session's end.
    public static func last(numDays: Int) -> Self { .last(CalendarDistance(days: numDays)) }

    /// Returns the start of a session that ends at an instant; nil for no limit.
    ///
    /// - Throws: `SessionError.startAfterEnd`.
    func start(before end: Timestamp) throws(SessionError) -> Timestamp? {
        let start: Timestamp
        switch self {
        case .oldestSample: return nil
        case .last(let distance) where distance == CalendarDistance(): return nil
        case .last(let distance): start = distance.before(end)
        case .absolute(let instant): start = instant
        }
        guard start.seconds <= end.seconds else { throw .startAfterEnd }
        return start
    }

    /// The text that identifies the rule in a session's state.
    var description: String {
        switch self {
        case .oldestSample: "oldestSample"
        case .last(let distance) where distance == CalendarDistance(): "oldestSample"
        case .last(let distance):
            "last \(distance.years)y\(distance.months)m\(distance.weeks)w\(distance.days)d"
        case .absolute(let start): "absolute \(start.iso)"
        }
    }
}

/// The size of a session's batches: ``BatchOptions/automatic``, calendar units, and limits.
public typealias ExportSessionBatchSize = BatchOptions
