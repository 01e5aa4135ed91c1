package import ByteText
import HealthReport
package import SystemIO

/// Numbers formatted for people.
package enum Quantities {
    package static func bytes(_ count: Int) -> TerminalText {
        var value = Double(count)
        for unit in ["bytes", "kB", "MB", "GB"] {
            if value < 1000 || unit == "GB" {
                return unit == "bytes" ? "\(count) bytes" : "\(decimal(value)) \(unit)"
            }
            value /= 1000
        }
        return "\(count) bytes"
    }

    package static func decimal(_ value: Double, digits: Int = 1) -> TerminalText {
        let scale = digits == 1 ? 10.0 : 100.0
        let scaled = Int((value * scale).rounded())
        let rest = String(scaled % Int(scale))
        return "\(scaled / Int(scale)).\(String(repeating: "0", count: digits - rest.utf8.count))\(rest)"
    }

    package static func seconds(_ value: Double) -> TerminalText {
        value < 60
            ? "\(decimal(value, digits: value < 10 ? 2 : 1)) s"
            : duration(Int(exactly: value.rounded()) ?? .max)
    }

    /// Returns a duration in whole seconds.
    package static func duration(_ whole: Int) -> TerminalText {
        if whole < 60 { return "\(whole) s" }
        return whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h \(whole / 60 % 60) min"
    }

    /// Returns a number with separators between thousands.
    package static func count(_ value: Int) -> TerminalText {
        "\(ChartNumber.count(value))"
    }

    package static func count(_ value: Int, _ noun: String, plural: String? = nil) -> TerminalText {
        "\(count(value)) \(value == 1 ? noun : plural ?? noun + "s")"
    }

    /// Returns the first and last day of a range.
    package static func days(_ days: ClosedRange<CivilDate>) -> TerminalText {
        "\(days.lowerBound) to \(days.upperBound)"
    }
}
