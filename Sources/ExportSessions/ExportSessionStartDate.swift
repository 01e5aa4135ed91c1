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

        private static let firstDay = CivilDate(year: 1, month: 1, day: 2)?.daysSince1970 ?? 0

        /// Returns the instant that is this distance before another one, at the same time of the day.
        ///
        /// Years and months are subtracted first (if that month has no such day, its last day counts), then weeks and
        /// days.
        public func before(_ instant: Timestamp) -> Timestamp {
            let day = SpanRule.days(1).range(around: instant.seconds)?.lowerBound ?? 0
            let date = CivilDate(daysSince1970: day / 86400)
            let month = date.year * 12 + date.month - 1 - years * 12 - months
            let year = month >= 0 ? month / 12 : 0
            var found: CivilDate?
            var dayOfMonth = date.day
            while found == nil, dayOfMonth > 0 {
                found = CivilDate(
                    year: max(1, year), month: month >= 12 ? month % 12 + 1 : 1, day: dayOfMonth)
                dayOfMonth -= 1
            }
            // The calendar starts here.
            let start = max((found?.daysSince1970 ?? 0) - 7 * weeks - days, Self.firstDay)
            return Timestamp(
                seconds: start * 86400 + instant.seconds - day, offsetMinutes: instant.offsetMinutes)
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
