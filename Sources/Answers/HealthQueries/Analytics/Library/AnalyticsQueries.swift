public import ByteText
import HealthArchive

/// Reading rows.
extension HealthStatsLibrary {
    /// Returns the rule for the days that the rows are about; UTC before any were computed, or if this computer does not know
    /// their zone.
    package func days() throws -> Days { try zone().flatMap { try Days(zoneText: $0) } ?? Days.utc }

    /// Returns the day of the export that the rows were computed from or, if that is unknown, the latest day with data; nil
    /// before any were computed.
    ///
    /// Samples may be dated later, and so may rows.
    public func exportDay() throws -> CivilDate? {
        let exported = try read { try $0.subject()?.exportDate }
        if let exported { return try days().day(of: exported) }
        return try read { try $0.latestStart(.day) }
    }

    /// Returns the day of a limit, in the zone of the rows.
    ///
    /// That is the day itself, the first or last one of a month or year, or that of an instant. Days are counted back from
    /// that of the export.
    private func day(_ limit: TimeLimit, isLast: Bool = false) throws -> CivilDate {
        if case .day(let day) = limit { return day }
        if case .days(let first, let last) = limit { return isLast ? last : first }
        let days = try self.days()
        let now = try exportDay().map { days.start(ofDay: $0.daysSince1970) } ?? 0
        let seconds = limit.seconds(days, now: now)
        return days.day(of: isLast ? seconds.upperBound - 1 : seconds.lowerBound)
    }

    private func rows(
        _ period: AnalyticsPeriod, from first: CivilDate? = nil, to last: CivilDate? = nil
    ) throws -> [AnalyticsRow] { try read { try $0.rows(period, from: first, to: last) } }

    /// Returns the row of the period that contains a day.
    private func row(_ period: AnalyticsPeriod, _ limit: TimeLimit) throws -> AnalyticsRow? {
        let start = period.range(containing: try day(limit), try settings().firstWeekday).lowerBound
        return try rows(period, from: start, to: start).first
    }

    /// Returns the row of the latest period; nil if there is none.
    private func latestRow(_ period: AnalyticsPeriod) throws -> AnalyticsRow? {
        try read { database in
            guard let start = try database.latestStart(period) else { return nil }
            return try database.rows(period, from: start, to: start).first
        }
    }

    /// Returns rows of any period that overlap a range, in ascending order.
    ///
    /// - Parameters:
    ///   - period: The period.
    ///   - first: The first day; nil for no limit.
    ///   - last: The last day (inclusive); nil for no limit.
    public func rows(
        of period: AnalyticsPeriod, from first: TimeLimit? = nil, to last: TimeLimit? = nil
    ) throws -> [AnalyticsRow] {
        let (low, high) = (try first.map { try day($0) }, try last.map { try day($0, isLast: true) })
        return try rows(period, to: high).filter { low == nil || $0.endDate >= low ?? $0.endDate }
    }

    /// Returns the row of a day; nil if it has no data.
    public func getDailyAnalytics(for date: TimeLimit) throws -> AnalyticsRow? { try row(.day, date) }

    /// Returns the rows from one day to another (inclusive), in ascending order.
    public func getDailyAnalytics(from: TimeLimit, to: TimeLimit) throws -> [AnalyticsRow] {
        try rows(.day, from: day(from), to: day(to, isLast: true))
    }

    /// Returns the rows of all days with data, in descending order.
    public func getAllDailyAnalytics() throws -> [AnalyticsRow] { try rows(.day).reversed() }

    /// Returns the row of the latest day; nil if there is none.
    public func getLatestDailyAnalytics() throws -> AnalyticsRow? { try latestRow(.day) }

    /// Returns the row of the week that contains a day; nil if it has no data.
    public func getWeeklyAnalytics(for date: TimeLimit) throws -> AnalyticsRow? { try row(.week, date) }

    /// Returns the rows of the weeks that lie completely in a range, in ascending order.
    public func getWeeklyAnalytics(from: TimeLimit, to: TimeLimit) throws -> [AnalyticsRow] {
        let last = try day(to, isLast: true)
        return try rows(.week, from: day(from), to: last).filter { $0.endDate <= last }
    }

    /// Returns the rows of all weeks with data, in descending order.
    public func getAllWeeklyAnalytics() throws -> [AnalyticsRow] { try rows(.week).reversed() }

    /// Returns the row of the latest week; nil if there is none.
    public func getLatestWeeklyAnalytics() throws -> AnalyticsRow? { try latestRow(.week) }

    /// Returns the row of the month that contains a day; nil if it has no data.
    public func getMonthlyAnalytics(for date: TimeLimit) throws -> AnalyticsRow? { try row(.month, date) }

    /// Returns the row of a month; nil if it has no data.
    public func getMonthlyAnalytics(year: Int, month: Int) throws -> AnalyticsRow? {
        guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
        return try row(.month, .day(first))
    }

    /// Returns the rows of the months of a year, in ascending order.
    public func getMonthlyAnalytics(for year: Int) throws -> [AnalyticsRow] {
        guard let first = CivilDate(year: year, month: 1, day: 1),
            let last = CivilDate(year: year, month: 12, day: 31)
        else { return [] }
        return try rows(.month, from: first, to: last)
    }

    /// Returns the rows of all months with data, in descending order.
    public func getAllMonthlyAnalytics() throws -> [AnalyticsRow] { try rows(.month).reversed() }

    /// Returns the row of the latest month; nil if there is none.
    public func getLatestMonthlyAnalytics() throws -> AnalyticsRow? { try latestRow(.month) }

    /// Returns the row of the year that contains a day; nil if it has no data.
    public func getYearlyAnalytics(for date: TimeLimit) throws -> AnalyticsRow? { try row(.year, date) }

    /// Returns the row of a year; nil if it has no data.
    public func getYearlyAnalytics(for year: Int) throws -> AnalyticsRow? {
        guard let first = CivilDate(year: year, month: 1, day: 1) else { return nil }
        return try row(.year, .day(first))
    }

    /// Returns the rows of all years with data, in descending order.
    public func getAllYearlyAnalytics() throws -> [AnalyticsRow] { try rows(.year).reversed() }

    /// Returns the row of the latest year; nil if there is none.
    public func getLatestYearlyAnalytics() throws -> AnalyticsRow? { try latestRow(.year) }
}
