import Glibc

/// The mean of values, each weighted by the time during which it applies.
public enum TimeWeightedMean: Sendable {
    /// The longest time for which a value without a duration applies, in seconds.
    ///
    /// A watch measures the heart rate every few minutes at rest; a longer gap means that it was not worn.
    public static let longestGap = 600

    /// Returns the mean.
    ///
    /// A value with a duration is weighted by it; a value without one counts until the next begins or the interval
    /// ends, for at most ``longestGap``. Values at one instant share this time. If all weights are zero, values have equal
    /// weights.
    ///
    /// - Parameters:
    ///   - values: Starts and ends in seconds, and values.
    ///   - end: The end of the interval, in seconds.
    /// - Returns: nil if there are no values.
    public static func of(_ values: [(start: Int, end: Int, value: Double)], until end: Int) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted { ($0.start, $0.end, $0.value) < ($1.start, $1.end, $1.value) }
        var (sum, weight) = (0.0, 0.0)
        var place = 0
        while place < sorted.count {
            let item = sorted[place]
            var (length, mean, next) = (item.end - item.start, item.value, place + 1)
            if length <= 0 {
                var instant = InstantMean(item.value, start: item.start, end: item.end)
                while next < sorted.count,
                    instant.add(sorted[next].value, start: sorted[next].start, end: sorted[next].end)
                {
                    next += 1
                }
                mean = instant.mean
                let following = next < sorted.count ? sorted[next].start : end
                length = min(longestGap, max(0, following - item.start))
            }
            sum += Double(length) * mean
            weight += Double(length)
            place = next
        }
        guard weight > 0 else { return values.reduce(0) { $0 + $1.value } / Double(values.count) }
        return sum / weight
    }
}

/// The mean of the measurements of one source at one instant, none of which may be left out for another.
package struct InstantMean: Sendable {
    private let start: Int
    /// The number of measurements; none if the first has a duration.
    private var count: Int
    /// The mean.
    package private(set) var mean: Double

    /// Begins with a measurement.
    package init(_ value: Double, start: Int, end: Int) {
        (self.start, mean) = (start, value)
        count = end > start ? 0 : 1
    }

    /// Adds a measurement.
    ///
    /// - Returns: Whether it is at the same instant, as all others are; else it is not added.
    package mutating func add(_ value: Double, start: Int, end: Int) -> Bool {
        guard count > 0, start == self.start, end <= start else { return false }
        count += 1
        mean += (value - mean) / Double(count)
        return true
    }
}

/// The level of a steady sound with the same energy as a changing one.
public enum EquivalentLevel: Sendable {
    /// Returns the equivalent continuous level in decibels: ten times the decimal logarithm of the mean energy (ISO
    /// 1996-1).
    ///
    /// - Parameter levels: Durations in seconds, and levels in decibels; if all durations are zero, levels have equal
    ///   weights.
    /// - Returns: nil if there are no levels.
    public static func of(_ levels: [(seconds: Int, level: Double)]) -> Double? {
        guard !levels.isEmpty else { return nil }
        let total = levels.reduce(0) { $0 + Double($1.seconds) }
        // Relative to the loudest level, so that no power overflows.
        let loudest = levels.reduce(-Double.infinity) { max($0, $1.level) }
        let energy = levels.reduce(0.0) { sum, item in
            let weight = total > 0 ? Double(item.seconds) / total : 1 / Double(levels.count)
            return sum + weight * Decibels.power(item.level - loudest)
        }
        return loudest + Decibels.level(energy)
    }
}

/// Conversions between sound levels and energies.
enum Decibels: Sendable {
    /// Returns the energy of a level, relative to that of 0 dB.
    static func power(_ level: Double) -> Double { pow(10, level / 10) }
    /// Returns the level of an energy.
    static func level(_ power: Double) -> Double { 10 * log10(power) }
}
