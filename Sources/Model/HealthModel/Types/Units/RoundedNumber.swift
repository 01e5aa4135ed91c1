/// Numbers as text, rounded where a computation leaves noise.
package enum RoundedNumber {
    /// The significant digits that lose only the noise of a computation.
    package static let precise = 12

    /// Returns a number without trailing zeros: `62`, `61.5`.
    package static func text(_ value: Double) -> String {
        if value == value.rounded(), value.magnitude < 1e15 { return String(Int(value)) }
        return "\(value)"
    }

    /// Returns a number rounded to `decimals` decimal places.
    package static func text(_ value: Double, decimals: Int) -> String {
        guard value.magnitude < 1e12 else { return "\(value)" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return text((value * scale).rounded() / scale)
    }

    /// Returns a number rounded to `digits` significant digits.
    package static func text(_ value: Double, digits: Int) -> String {
        var (decimals, rest) = (digits, value.magnitude)
        while rest >= 1, decimals > 0 {
            rest /= 10
            decimals -= 1
        }
        while rest < 0.1, rest > 0, decimals < 18 {
            rest *= 10
            decimals += 1
        }
        return text(value, decimals: decimals)
    }
}
