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
