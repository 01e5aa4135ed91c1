import SystemIO

/// The date of an export, for telling which of several is newest.
///
/// A date more than a year after now was given by a clock that is wrong, and would make an export the newest for years: it is
/// earlier than all others. If the clock of this computer is the wrong one, that may be true of all, and they are compared as
/// they are.
package struct OrderedDate: Sendable, Equatable, Comparable {
    /// Whether no clock seems to have been wrong.
    package let isPlausible: Bool
    private let seconds: Int

    /// Makes the date of seconds since 1970.
    package init(_ seconds: Int) {
        self.seconds = seconds
        isPlausible = seconds <= SystemClock.now() + Self.tolerance
    }

    private static let tolerance = 366 * 86400

    /// Whether an export was certainly made before another one: no clock, or that of both, seems to have been wrong.
    package func isBefore(_ other: Self) -> Bool {
        isPlausible == other.isPlausible && seconds < other.seconds
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.isPlausible == right.isPlausible ? left.seconds < right.seconds : right.isPlausible
    }
}

extension OrderedDate? {
    /// Whether it is later than another one; an unknown date is earlier than any.
    package func isAfter(_ other: Self) -> Bool {
        guard let self else { return false }
        return other.map { self > $0 } ?? true
    }
}
