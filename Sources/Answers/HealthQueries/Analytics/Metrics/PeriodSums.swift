import ByteText

/// Amounts of longer periods.
enum PeriodSums: Sendable {
    /// Returns the sums of amounts of days by a longer period, added up in the order of the days.
    ///
    /// - Parameters:
    ///   - days: The amounts by day, as days since 1970-01-01, at the places of their metrics.
    ///   - period: The period.
    ///   - firstWeekday: The day on which weeks start.
    static func of(
        _ days: [Int: [Amount?]], by period: AnalyticsPeriod, _ firstWeekday: Weekday
    ) -> [ClosedRange<CivilDate>: [Amount?]] {
        var sums: [ClosedRange<CivilDate>: [Amount?]] = [:]
        for (number, amounts) in days.sorted(by: { $0.key < $1.key }) {
            let range = period.range(containing: CivilDate(daysSince1970: number), firstWeekday)
            guard var sum = sums.removeValue(forKey: range) else {
                sums[range] = amounts
                continue
            }
            for (place, amount) in amounts.enumerated() {
                guard let amount else { continue }
                if sum[place]?.add(amount) == nil { sum[place] = amount }
            }
            sums[range] = sum
        }
        return sums
    }
}
