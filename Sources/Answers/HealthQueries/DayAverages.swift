public import ByteText

extension StatisticsResult {
    /// Returns averages and extremes of the intervals' sums by a longer unit; intervals without samples do not count.
    ///
    /// ```swift
    /// let days = try await store.statistics(StatisticsQuery(.stepCount, by: .calendar(.day)))
    /// for month in days.averages(by: .month) { print(month.start, month.average ?? 0) }
    /// ```
    ///
    /// The count of each is the number of intervals.
    public func averages(by unit: CalendarUnit) -> [Statistics] {
        var averages: [Statistics] = []
        for interval in intervals {
            guard let sum = interval.sum else { continue }
            if let last = averages.last, interval.start.seconds < last.end.seconds {
                averages[averages.count - 1].addInterval(sum)
            } else {
                let start = days.start(of: unit, containing: interval.start.seconds)
                var next = Statistics(
                    start: days.timestamp(start), end: days.timestamp(days.start(of: unit, 1, after: start)))
                next.addInterval(sum)
                next.isPartial = isCut(start..<next.end.seconds)
                averages.append(next)
            }
        }
        return averages
    }

    /// Returns whether the range of the query, or the time of the export, cuts off a part of a longer interval.
    private func isCut(_ bounds: Range<Int>) -> Bool {
        bounds.lowerBound < range.lowerBound || bounds.upperBound > range.upperBound
            || (now.map { bounds.lowerBound <= $0 && $0 < bounds.upperBound - 1 } ?? false)
    }
}

extension Statistics {
    fileprivate mutating func addInterval(_ value: Double) {
        count += 1
        let total = (sum ?? 0) + value
        sum = total
        average = total / Double(count)
        minimum = min(minimum ?? value, value)
        maximum = max(maximum ?? value, value)
    }
}
