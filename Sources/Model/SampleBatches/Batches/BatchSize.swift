import CivilTime

extension BatchOptions {
    /// A calendar unit for the spans of batches.
    public enum CalendarComponent: Sendable {
        case year
        case month
        /// Weeks start on Monday, regardless of the locale.
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

    /// Returns options for spans of `multiplier` units of the calendar (UTC) for all types.
    ///
    /// Spans are counted from fixed points, not from the start of a session, so batches cover the same spans in every
    /// session.
    public static func calendarComponent(_ component: CalendarComponent, multiplier: Int = 1) -> BatchOptions
    {
        // The initialiser limits the span; this keeps years from overflowing when converted to months.
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

    /// Returns options with the same spans, split into parts of at most this many samples.
    public func limited(toRows rows: Int) -> BatchOptions {
        BatchOptions(span: span, rowLimit: rows, byteLimit: byteLimit)
    }
}
