/// The mean of values, each weighted by the time during which it applies.
public enum TimeWeightedMean: Sendable {
    /// The longest time for which a value without a duration applies, in seconds.
    ///
    /// A watch measures the heart rate every few minutes at rest; a longer gap means that it was not worn.
    public static let longestGap = 600

    /// Returns the mean.
    ///
    /// A value with a duration is weighted by it; a value without one counts until the next begins or the interval
    /// ends, for at most ``longestGap``. If all weights are zero, values have equal weights.
    ///
    /// - Parameters:
    ///   - values: Starts and ends in seconds, and values.
    ///   - end: The end of the interval, in seconds.
    /// - Returns: nil if there are no values.
    public static func of(_ values: [(start: Int, end: Int, value: Double)], until end: Int) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.indices.sorted { (values[$0].start, $0) < (values[$1].start, $1) }
        var (sum, weight) = (0.0, 0.0)
        for (place, index) in sorted.enumerated() {
            let item = values[index]
            var length = item.end - item.start
            if length <= 0 {
                let next = place + 1 < sorted.count ? values[sorted[place + 1]].start : end
                length = min(longestGap, max(0, next - item.start))
            }
            sum += Double(length) * item.value
            weight += Double(length)
        }
        guard weight > 0 else { return values.reduce(0) { $0 + $1.value } / Double(values.count) }
        return sum / weight
    }
}
