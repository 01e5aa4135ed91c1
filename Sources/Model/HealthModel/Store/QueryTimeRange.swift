public import ByteText

/// The time that a query covers.
///
/// Days, weeks and months follow the store's rule, ``HealthStore/days()``. Today is the day of the export: a store does
/// not change, so the same query always has the same result.
public struct QueryTimeRange: Sendable, Hashable {
    /// One bound of a range.
    private enum Bound: Sendable, Hashable {
        case none
        case limit(TimeLimit)
        /// The start of the unit that is this many units before the current one.
        case unitsAgo(Int, CalendarUnit)
        /// The end of the current unit.
        case endOfUnit(CalendarUnit)
        /// The start of the day that is a period before the current one.
        case period(CalendarPeriod)
    }

    private var lower = Bound.none
    private var upper = Bound.none

    /// All time.
    public static let ever = QueryTimeRange()

    /// The hour of the export.
    public static let currentHour = last(1, .hour)
    /// The day of the export.
    public static let today = last(1, .day)
    /// The week of the export.
    public static let currentWeek = last(1, .week)
    /// The month of the export.
    public static let currentMonth = last(1, .month)
    /// The year of the export.
    public static let currentYear = last(1, .year)

    /// This many hours, ending with the current one; at least one.
    public static func last(hours count: Int) -> Self { last(count, .hour) }
    /// This many days, ending with today; at least one.
    public static func last(days count: Int) -> Self { last(count, .day) }
    /// This many weeks, ending with the current one; at least one.
    public static func last(weeks count: Int) -> Self { last(count, .week) }
    /// This many months, ending with the current one; at least one.
    public static func last(months count: Int) -> Self { last(count, .month) }
    /// This many years, ending with the current one; at least one.
    public static func last(years count: Int) -> Self { last(count, .year) }

    private static func last(_ count: Int, _ unit: CalendarUnit) -> Self {
        var range = Self()
        range.lower = .unitsAgo(min(max(1, count), 100_000) - 1, unit)
        range.upper = .endOfUnit(unit)
        return range
    }

    /// From the start of the day that is a period, such as `18m`, before the day of the export, without an end.
    public static func last(_ period: CalendarPeriod) -> Self {
        var range = Self()
        range.lower = .period(period)
        return range
    }

    /// From a day or an instant onwards.
    public static func since(_ limit: TimeLimit) -> Self { limited(limit, nil) }
    /// Up to and including a day or an instant.
    public static func until(_ limit: TimeLimit) -> Self { limited(nil, limit) }

    /// From one day or instant to another, inclusive.
    public static func between(_ first: TimeLimit, _ last: TimeLimit) -> Self { limited(first, last) }

    /// From one day or instant to another, either of which may be missing.
    package static func limited(_ first: TimeLimit?, _ last: TimeLimit?) -> Self {
        var range = Self()
        range.lower = first.map { .limit($0) } ?? .none
        range.upper = last.map { .limit($0) } ?? .none
        return range
    }

    /// A single day.
    public static func day(_ day: CivilDate) -> Self { between(.day(day), .day(day)) }
    /// A closed range of days.
    public static func days(_ days: ClosedRange<CivilDate>) -> Self {
        between(.day(days.lowerBound), .day(days.upperBound))
    }

    /// From an instant up to, but not including, another one.
    public static func instants(_ range: Range<Timestamp>) -> Self {
        between(
            .instant(range.lowerBound),
            .instant(
                Timestamp(
                    seconds: range.upperBound.seconds - 1, offsetMinutes: range.upperBound.offsetMinutes)))
    }

    /// The same range up to the end of the day of the export, if it has no end of its own.
    ///
    /// Samples may be dated after the export: what a phone expects, or recorded while its clock was wrong. An answer about
    /// the last days leaves them out.
    public var endingWithExport: Self {
        guard case .none = upper else { return self }
        var range = self
        range.upper = .endOfUnit(.day)
        return range
    }

    /// Whether it covers all time.
    public var isUnlimited: Bool { self == .ever }

    /// Returns the range in seconds since 1970.
    ///
    /// - Parameters:
    ///   - days: The rule for days.
    ///   - now: The current time, usually that of the export, in seconds since 1970.
    public func resolved(_ days: Days, now: Int) -> Range<Int> {
        let low = Self.instant(lower, days, now, isLower: true) ?? .min
        let high = Self.instant(upper, days, now, isLower: false) ?? .max
        return low..<max(low, high)
    }

    /// Returns the range in seconds since 1970, in a store with these contents.
    ///
    /// - Parameters:
    ///   - contents: The contents, which define the current time.
    ///   - days: The rule for days; nil for the store's rule.
    public func resolved(in contents: StoreContents, days: Days? = nil) -> Range<Int> {
        resolved(days ?? contents.days, now: contents.now?.seconds ?? 0)
    }

    private static func instant(_ bound: Bound, _ days: Days, _ now: Int, isLower: Bool) -> Int? {
        switch bound {
        case .none: return nil
        case .limit(let limit):
            let seconds = limit.seconds(days, now: now)
            return isLower ? seconds.lowerBound : seconds.upperBound
        case .unitsAgo(let count, let unit):
            return days.start(of: unit, -count, after: now)
        case .endOfUnit(let unit):
            return days.start(of: unit, 1, after: now)
        case .period(let period): return days.start(of: period.start(before: days.day(of: now)))
        }
    }
}
