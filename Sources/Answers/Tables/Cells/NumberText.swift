package import ByteText
import HealthModel

/// Numbers in reports.
package enum NumberText {
    /// Returns a number without trailing zeros: `62`, `61.5`.
    package static func plain(_ value: Double) -> String { RoundedNumber.text(value) }

    /// Returns a number rounded to `digits` decimal places.
    package static func rounded(_ value: Double, digits: Int) -> String {
        RoundedNumber.text(value, decimals: digits)
    }

    /// Returns a number for people: with two decimal places, or two significant digits if it is small.
    package static func short(_ value: Double) -> String {
        value.magnitude < 0.01 ? RoundedNumber.text(value, digits: 2) : rounded(value, digits: 2)
    }

    /// Returns a number for programs: with enough digits to lose only the noise of a computation.
    package static func precise(_ value: Double) -> String {
        RoundedNumber.text(value, digits: RoundedNumber.precise)
    }

    /// Returns seconds as hours and minutes: `7:05`.
    package static func hours(_ seconds: Int) -> String {
        let minutes = (seconds + 30) / 60
        return "\(minutes / 60):\(two(minutes % 60))"
    }

    /// Returns seconds as hours, minutes and seconds: `1:02:03`; values out of range as a number of seconds.
    package static func duration(_ seconds: Double) -> String {
        guard seconds >= 0, seconds < 1e12 else { return plain(seconds) + " s" }
        let whole = Int(seconds.rounded())
        return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    }

    /// Writes a number to JSON, or null if there is none or JSON cannot represent it.
    package static func write(_ value: Double?, to writer: inout JSONWriter) {
        let text = value.map { Array(precise($0).utf8) } ?? []
        if JSONNumber.matches(text.span) { writer.raw(text.span) } else { writer.null() }
    }

    /// Returns a number of things, with separators between thousands.
    package static func count(_ value: Int, _ noun: String) -> String {
        grouped(String(value)) + " " + noun + (value == 1 ? "" : "s")
    }

    /// Returns digits with separators between thousands.
    package static func grouped(_ digits: String) -> String {
        var text = ""
        for (place, digit) in digits.reversed().enumerated() {
            if place > 0, place % 3 == 0, digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
