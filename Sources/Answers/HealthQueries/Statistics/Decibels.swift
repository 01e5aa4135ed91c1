import Glibc

/// Conversions between sound levels and energies.
enum Decibels: Sendable {
    /// Returns the energy of a level, relative to that of 0 dB.
    static func power(_ level: Double) -> Double { pow(10, level / 10) }
    /// Returns the level of an energy.
    static func level(_ power: Double) -> Double { 10 * log10(power) }
}
