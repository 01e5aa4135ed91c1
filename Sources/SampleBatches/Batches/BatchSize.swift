extension BatchOptions {
    /// A unit of the calendar, for batches of one span each.
    public enum CalendarComponent: Sendable {
        case year
        case month
        /// Weeks start on Monday, wherever the program runs.
        case week
        case day
        case hour
    }

    /// A month for the six busiest types, half a year for all others.
    public static let automatic = BatchOptions()
    /// A year for all types.
    public static let byYear = calendarComponent(.year)
    /// A month for all types.
    public static let byMonth = calendarComponent(.month)

    /// So many units of the calendar (UTC) for all types.
    ///
    /// Spans are counted from fixed points and not from where a session starts, so that a batch of one session is
    /// that of any other.
    public static func calendarComponent(_ component: CalendarComponent, multiplier: Int = 1) -> BatchOptions
    {
        // The initialiser cuts what is too long; years must survive becoming months.
        let count = min(max(1, multiplier), 1_000_000)
        let rule: SpanRule =
            switch component {
            case .year: .months(12 * count)
            case .month: .months(count)
            case .week: .weeks(count)
            case .day: .days(count)
            case .hour: .hours(count)
            }
        return BatchOptions(span: .every(rule))
    }

    /// The same spans, cut into parts of at most so many samples.
    public func limited(toRows rows: Int) -> BatchOptions {
        BatchOptions(span: span, rowLimit: rows, byteLimit: byteLimit)
    }

    /// The same spans, cut into parts of at most so many packed bytes.
    public func limited(toBytes bytes: Int) -> BatchOptions {
        BatchOptions(span: span, rowLimit: rowLimit, byteLimit: bytes)
    }
}
