public import ByteText
import HealthModel

/// The mean values of a quantity by weekday and hour.
public struct HoursOfWeek: Sendable {
    /// Whether the values are sums of an hour, rather than averages.
    public let isSummed: Bool
    /// The sums of the hours' values and their numbers, by weekday from Monday and hour.
    private var hours = [(sum: Double, count: Int)](repeating: (0, 0), count: 7 * 24)
    /// The number of days that have any data, by weekday from Monday.
    private var days = [Int](repeating: 0, count: 7)
    private var lastDay: Int?

    /// The number of days that have any data.
    public var dayCount: Int { days.reduce(0, +) }

    /// Creates hours without data.
    public init(isSummed: Bool) { self.isSummed = isSummed }

    /// Computes the hours from statistics by hour.
    public init(_ result: StatisticsResult) {
        self.init(isSummed: result.options.contains(.sum))
        for interval in result.intervals { append(interval, result.days) }
    }

    /// Adds the statistics of an hour, which is later than those before.
    public mutating func append(_ interval: Statistics, _ rule: Days) {
        guard let value = isSummed ? interval.sum : interval.average else { return }
        let day = rule.dayNumber(of: interval.start.seconds)
        let weekday = Weekday(ofDay: day).rawValue - 1
        if day != lastDay { days[weekday] += 1 }
        lastDay = day
        let passed = interval.start.seconds + 60 * rule.timestamp(interval.start.seconds).offsetMinutes
        let hour = ((passed % 86400 + 86400) % 86400) / 3600
        hours[weekday * 24 + hour].sum += value
        hours[weekday * 24 + hour].count += 1
    }

    /// Returns the mean of an hour; nil if it has no data.
    ///
    /// The mean of sums is over all of the weekday's days that have any data: an hour without steps counts as one. The mean
    /// of averages is over the hours with data.
    ///
    /// - Parameters:
    ///   - weekday: The weekday, 0 for Monday.
    ///   - hour: The hour, 0...23.
    public func mean(weekday: Int, hour: Int) -> Double? {
        let (sum, count) = hours[weekday * 24 + hour]
        let total = isSummed ? days[weekday] : count
        return total == 0 ? nil : sum / Double(total)
    }
}
