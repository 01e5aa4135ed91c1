/// A rule that divides the calendar, in UTC, into the spans of batches.
public enum SpanRule: Sendable, Hashable {
    /// Spans of this many months, counted from January of year 0.
    case months(Int)
    /// Spans of this many hours, counted from 1970-01-01T00:00:00Z.
    case hours(Int)
    /// Spans of this many days, counted from 1970-01-01.
    case days(Int)
    /// Spans of this many weeks, which start on Monday, counted from 1970-01-05.
    case weeks(Int)
    /// Everything in one span.
    case all

    /// Returns the span that contains an instant.
    public func span(of seconds: Int) -> CalendarSpan {
        switch self {
        case .all: return .all
        case .hours(let count): return .numbered(seconds.flooredQuotient(by: 3600 * count))
        case .days(let count): return .numbered(seconds.flooredQuotient(by: 86400 * count))
        case .weeks(let count): return .numbered((seconds - 4 * 86400).flooredQuotient(by: 7 * 86400 * count))
        case .months(let count):
            let date = CivilDate(daysSince1970: seconds.flooredQuotient(by: 86400))
            return .numbered((date.year * 12 + date.month - 1).flooredQuotient(by: count))
        }
    }

    /// Returns the seconds of the span that contains an instant.
    ///
    /// - Returns: nil for `all`, which has no bounds.
    public func range(around seconds: Int) -> Range<Int>? {
        guard case .numbered(let number) = span(of: seconds) else { return nil }
        return start(of: number)..<start(of: number + 1)
    }

    /// Returns the first second of the n-th span.
    private func start(of number: Int) -> Int {
        switch self {
        case .all: 0
        case .hours(let count): number * count * 3600
        case .days(let count): number * count * 86400
        case .weeks(let count): (number * count * 7 + 4) * 86400
        case .months(let count): CivilDate.daysSince1970(ofMonth: number * count) * 86400
        }
    }

    /// Returns the name of a span: `2023-05` for a month, `2023-H1` for a half-year, `2023` for a year, `2020-2024`
    /// for several, otherwise its first day (for hours its first hour) and its length.
    public func name(of span: CalendarSpan) -> String {
        guard case .numbered(let number) = span else { return span == .all ? "all" : "undated" }
        switch self {
        case .all: return "all"
        case .hours(let count):
            let hour = number * count
            let day = hour.flooredQuotient(by: 24)
            return Self.day(day) + "T" + Self.padded(hour - day * 24, 2) + (count == 1 ? "" : "_\(count)h")
        case .days(let count): return Self.day(number * count) + (count == 1 ? "" : "_\(count)d")
        case .weeks(let count): return Self.day(number * count * 7 + 4) + "_\(count)w"
        case .months(let count):
            let month = number * count
            let year = month.flooredQuotient(by: 12)
            let yearText = Self.padded(year, 4)
            switch count {
            case 1: return yearText + "-" + Self.padded(month - year * 12 + 1, 2)
            case 6: return yearText + (month - year * 12 == 0 ? "-H1" : "-H2")
            case 12: return yearText
            case _ where count % 12 == 0: return yearText + "-" + Self.padded(year + count / 12 - 1, 4)
            default: return yearText + "-" + Self.padded(month - year * 12 + 1, 2) + "_\(count)m"
            }
        }
    }

    private static func day(_ days: Int) -> String {
        let date = CivilDate(daysSince1970: days)
        return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
    }

    private static func padded(_ value: Int, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

/// One span of a rule.
public enum CalendarSpan: Sendable, Hashable {
    /// The rule's n-th span.
    case numbered(Int)
    /// The only span of `SpanRule.all`.
    case all
    /// The span of everything without a start.
    case undated
}
