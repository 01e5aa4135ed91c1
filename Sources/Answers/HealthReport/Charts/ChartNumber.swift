import Tables

/// Numbers as charts and tables show them.
public enum ChartNumber: Sendable {
    /// How values are written.
    public enum Format: String, Sendable, Hashable {
        /// With separators between thousands: `12,345.6`.
        case number
        /// A fraction as a percentage: `97.5 %`.
        case percent
        /// Hours as hours and minutes: `7:30`.
        case duration
        /// Hours since the midnight at which an evening ends, as a time of day: -1.5 is `22:30`.
        case clock

        /// The preferred distances between ticks.
        var steps: [Double] {
            switch self {
            case .number, .percent: []
            case .duration: [0.25, 0.5, 1, 2, 4, 5, 10, 20, 50]
            case .clock: [0.5, 1, 2, 3, 6]
            }
        }
    }

    /// Returns a value for a table or a caption: with three digits or more.
    public static func text(_ value: Double, _ format: Format = .number) -> String {
        switch format {
        case .number: return fixed(value, digits: digits(value))
        case .percent: return fixed(value * 100, digits: digits(value * 100)) + " %"
        case .duration, .clock: return hours(value, isClock: format == .clock)
        }
    }

    /// Returns a tick's label: with as many decimal places as the distance between ticks requires.
    static func tick(_ value: Double, step: Double, _ format: Format) -> String {
        switch format {
        case .number: return fixed(value, digits: decimals(of: step))
        case .percent: return fixed(value * 100, digits: decimals(of: step * 100))
        case .duration, .clock: return hours(value, isClock: format == .clock)
        }
    }

    /// Returns a whole number with separators between thousands.
    public static func count(_ value: Int) -> String { NumberText.grouped(String(value)) }

    /// Returns a number of things.
    ///
    /// - Parameter plural: The word for several; nil for the noun with an s.
    static func count(_ value: Int, _ noun: String, _ plural: String? = nil) -> String {
        count(value) + " " + (value == 1 ? noun : plural ?? noun + "s")
    }

    private static func digits(_ value: Double) -> Int {
        if value == value.rounded() { return 0 }
        return switch abs(value) {
        case 1000...: 0
        case 100...: 1
        case 1...: 2
        case 0.01...: 3
        default: 6
        }
    }

    /// Returns how many decimal places a step of one, two or five times a power of ten needs.
    private static func decimals(of step: Double) -> Int {
        var (digits, step) = (0, step)
        while step < 0.999, digits < 12 {
            step *= 10
            digits += 1
        }
        return digits
    }

    /// Returns a number rounded to decimal places, without trailing zeros.
    static func fixed(_ value: Double, digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard abs(value) * scale < 1e15 else { return NumberText.grouped(String(Int(value.rounded()))) }
        let scaled = Int((abs(value) * scale).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int(scale))
        var text = NumberText.grouped(String(whole))
        if rest > 0 {
            let decimals = String(rest)
            let zeros = String(repeating: "0", count: digits - decimals.utf8.count)
            let shown = (zeros + decimals).reversed().drop { $0 == "0" }
            text += "." + String(shown.reversed())
        }
        return value < 0 && scaled > 0 ? "-" + text : text
    }

    private static func hours(_ value: Double, isClock: Bool) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "\(value)" }
        var minutes = Int((abs(value) * 60).rounded()) * (value < 0 ? -1 : 1)
        if isClock { minutes = ((minutes % 1440) + 1440) % 1440 }
        let (whole, rest) = (abs(minutes) / 60, abs(minutes) % 60)
        return (minutes < 0 ? "-" : "") + (isClock && whole < 10 ? "0" : "") + "\(whole):"
            + (rest < 10 ? "0" : "") + "\(rest)"
    }
}
