public import ByteText

extension StatisticsResult {
    /// Returns averages, extremes and percentiles of the intervals' sums by a longer unit; intervals without samples do not count.
    ///
    /// ```swift
    /// let days = try await store.statistics(StatisticsQuery(.stepCount, by: .calendar(.day)))
    /// for month in days.averages(by: .month) { print(month.start, month.average ?? 0) }
    /// ```
    ///
    /// The count of each is the number of intervals.
    public func averages(by unit: CalendarUnit) -> [Statistics] {
        var periods: [(bounds: Range<Int>, sums: [Double])] = []
        for interval in intervals {
            guard let sum = interval.sum else { continue }
            if let last = periods.last?.bounds, interval.start.seconds < last.upperBound {
                periods[periods.count - 1].sums.append(sum)
            } else {
                let start = days.start(of: unit, containing: interval.start.seconds)
                periods.append((start..<days.start(of: unit, 1, after: start), [sum]))
            }
        }
        return periods.map { bounds, sums in
            var period = Statistics(
                start: days.timestamp(bounds.lowerBound), end: days.timestamp(bounds.upperBound))
            let total = sums.reduce(0, +)
            period.count = sums.count
            period.sum = total
            period.average = total / Double(sums.count)
            (period.minimum, period.maximum) = (sums.min(), sums.max())
            (period.median, period.percentile95) = (sums.quantile(0.5), sums.quantile(0.95))
            period.isPartial = bounds.isCut(by: range, at: now)
            return period
        }
    }
}
