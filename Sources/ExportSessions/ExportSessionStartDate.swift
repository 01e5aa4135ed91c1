import HealthArchive
public import SampleBatches

/// The start of a session.
public enum ExportSessionStartDate: Sendable, Equatable {
    /// With the oldest sample.
    case oldestSample
    /// At this distance before the session's end; an empty distance means ``oldestSample``.
    case last(CalendarDistance)
    /// At this instant.
    case absolute(Timestamp)

    /// A distance in units of the calendar (UTC).
    public struct CalendarDistance: Sendable, Equatable {
        /// Years.
        public var years: Int
        /// Months.
        public var months: Int
        /// Weeks.
        public var weeks: Int
        /// Days.
        public var days: Int

        /// The limit on units of any kind; more would lead out of the calendar.
        private static let most = 4_000_000

        /// Makes a distance.
        public init(years: Int = 0, months: Int = 0, weeks: Int = 0, days: Int = 0) {
            func clamp(_ count: Int) -> Int { min(max(count, -Self.most), Self.most) }
            self.years = clamp(years)
            self.months = clamp(months)
            self.weeks = clamp(weeks)
            self.days = clamp(days)
        }

        /// Returns the instant that is this distance before another one, at the same time of the day.
        ///
        /// Years and months are subtracted first (if that month has no such day, its last day counts), then weeks and
        /// days.
        public func before(_ instant: Timestamp) -> Timestamp {
            let day = Timestamp(seconds: instant.seconds, offsetMinutes: 0).day
            let period = CalendarPeriod(months: 12 * years + months, days: 7 * weeks + days)
            let start = period.start(before: day).start.seconds + instant.seconds - day.start.seconds
            // With any offset, it is in a year of four digits.
            let bounds = Timestamp.writable(offsetMinutes: instant.offsetMinutes)
            return Timestamp(
                seconds: min(max(start, bounds.lowerBound), bounds.upperBound - 1),
                offsetMinutes: instant.offsetMinutes)
        }
    }

    /// The last years.
    public static func last(numYears: Int) -> Self { .last(CalendarDistance(years: numYears)) }
    /// The last months.
    public static func last(numMonths: Int) -> Self { .last(CalendarDistance(months: numMonths)) }
    /// The last weeks.
    public static func last(numWeeks: Int) -> Self { .last(CalendarDistance(weeks: numWeeks)) }
    /// The last days.
    public static func last(numDays: Int) -> Self { .last(CalendarDistance(days: numDays)) }

    /// Returns the start of a session with this end; nil for no limit.
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

    /// The rule as a text, by which a session recognises it.
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

/// The size of a session's batches: ``BatchOptions/automatic``, units of the calendar, and limits.
public typealias ExportSessionBatchSize = BatchOptions
