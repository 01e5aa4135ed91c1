/// Which calendar span of UTC a batch covers.
public enum SpanRule: Sendable, Hashable {
    /// So many months, counted from January of year 0.
    case months(Int)
    /// So many days, counted from 1970-01-01.
    case days(Int)
    /// Weeks that start on Monday, so many at a time, counted from 1970-01-05.
    case weeks(Int)
    /// Everything in one span.
    case all

    /// The number of the span in which an instant lies.
    public func span(of seconds: Int) -> CalendarSpan {
        switch self {
        case .all: return .all
        case .days(let count): return .numbered(seconds.flooredQuotient(by: 86400 * count))
        case .weeks(let count): return .numbered((seconds - 4 * 86400).flooredQuotient(by: 7 * 86400 * count))
        case .months(let count):
            let date = CivilDate(daysSince1970: seconds.flooredQuotient(by: 86400))
            return .numbered((date.year * 12 + date.month - 1).flooredQuotient(by: count))
        }
    }

    /// The instants of a span, as far as they can be said; some of them around one that lies in it otherwise.
    public func instants(of span: CalendarSpan, around seconds: Int) -> Range<Int> {
        let day = seconds.flooredQuotient(by: 86400) * 86400
        guard case .months(let count) = self, case .numbered(let number) = span,
            let start = Self.start(ofMonth: number * count),
            let end = Self.start(ofMonth: (number + 1) * count)
        else {
            // Spans are made of whole days.
            return day..<(day + 86400)
        }
        return start..<end
    }

    /// Where a month starts, counted from January of year 0; nil where the calendar does not reach.
    private static func start(ofMonth month: Int) -> Int? {
        let year = month.flooredQuotient(by: 12)
        return CivilDate(year: year, month: month - year * 12 + 1, day: 1).map { $0.daysSince1970 * 86400 }
    }

    /// The name of a span: `2023-05` for a month, `2023-H1` for a half-year, `2023` for a year, else its first day
    /// and its length.
    public func name(of span: CalendarSpan) -> String {
        guard case .numbered(let number) = span else { return span == .all ? "all" : "undated" }
        switch self {
        case .all: return "all"
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
    /// The one span of `SpanRule.all`.
    case all
    /// The span of what has no start.
    case undated
}
