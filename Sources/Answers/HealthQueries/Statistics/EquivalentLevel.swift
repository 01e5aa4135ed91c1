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
