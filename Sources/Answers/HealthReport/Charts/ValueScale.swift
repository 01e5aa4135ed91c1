import Glibc

/// The scale of a vertical axis: its domain, and the ticks in it.
public struct ValueScale: Sendable, Equatable {
    /// The distance between two ticks.
    public let step: Double
    /// The ticks in ascending order; at least two.
    public let ticks: [Double]

    /// The lowest and the highest value of the axis.
    public let domain: ClosedRange<Double>

    /// The first digits of steps between plain numbers.
    static let decimalSteps = [1.0, 2, 5]

    /// Creates a scale that contains a range of values.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - most: The maximum number of steps; at least two.
    ///   - steps: The possible distances between ticks in ascending order; beyond the last, and if there are none, one,
    ///     two or five times a power of ten.
    ///   - isFitted: Whether the domain is little more than the values, and ticks lie within it; otherwise it begins and
    ///     ends at a tick.
    public init(
        covering values: ClosedRange<Double>, most: Int, steps: [Double] = [], isFitted: Bool = false
    ) {
        let most = Double(max(2, most))
        var (low, high) = (values.lowerBound, values.upperBound)
        // Values that doubles cannot tell apart would have no ticks between them.
        let least = max(abs(low), abs(high)) * 1e-9
        if high - low <= least {
            let room = max(abs(low) / 10, least, low == 0 ? 1 : 0)
            (low, high) = low >= 0 && low - room < 0 ? (0, high + room) : (low - room, high + room)
        }
        let fitted = isFitted ? Self.fitted(low, high) : nil
        func fits(_ step: Double) -> Bool {
            if let fitted {
                return (fitted.upperBound / step).rounded(.down) - (fitted.lowerBound / step).rounded(.up)
                    <= most
            }
            return (high / step).rounded(.up) - (low / step).rounded(.down) <= most
        }
        step = steps.first(where: fits) ?? Self.decimal(from: (high - low) / most, fits)
        let (first, last) = ((low / step).rounded(.down), (high / step).rounded(.up))
        let step = step
        let all = (0...max(1, Int(last - first))).map { (first + Double($0)) * step }
        let inside = all.filter { fitted?.contains($0) ?? true }
        // Lines without labels would say nothing.
        if let fitted, inside.count > 1 {
            (ticks, domain) = (inside, fitted)
        } else {
            (ticks, domain) = (all, all[0]...all[all.count - 1])
        }
    }

    /// Returns a domain with a little room around the values, and from 0 if that is near.
    private static func fitted(_ low: Double, _ high: Double) -> ClosedRange<Double> {
        let room = (high - low) * 0.06
        let isNearZero = low >= 0 && low <= (high - low) * 0.25
        return (isNearZero ? 0 : low - room)...(high + room)
    }

    private static func decimal(from least: Double, _ fits: (Double) -> Bool) -> Double {
        var power = max(pow(10, log10(least).rounded(.down)), .leastNormalMagnitude)
        while true {
            for digit in decimalSteps where digit * power >= least * 0.999 && fits(digit * power) {
                return digit * power
            }
            power *= 10
        }
    }

    /// Returns a value as a fraction of the domain.
    public func fraction(_ value: Double) -> Double {
        (value - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
    }
}
