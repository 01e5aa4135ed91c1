/// A day of the proleptic Gregorian calendar.
public struct CivilDate: Sendable, Hashable {
    /// The year; 1 or later if it was parsed.
    public let year: Int
    /// The month, 1...12.
    public let month: Int
    /// The day, 1...31.
    public let day: Int

    /// Creates a day of the years 1 to 9999; nil if it does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        guard (1...length).contains(day) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads `yyyy-MM-dd`.
    public init?(_ text: Span<UInt8>) {
        guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let year = Timestamp.digits(text, 0, 4), let month = Timestamp.digits(text, 5, 2),
            let day = Timestamp.digits(text, 8, 2)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Reads a JSON token `"yyyy-MM-dd"`.
    public init?(token: Span<UInt8>) {
        guard token.count == 12 else { return nil }
        self.init(token.extracting(1..<11))
    }

    /// Midnight in UTC, which represents the day where a time is needed.
    public var start: Timestamp { Timestamp(seconds: daysSince1970 * 86400, offsetMinutes: 0) }

    /// Days since 1970-01-01.
    ///
    /// Years are treated as starting in March, so that the leap day is the last one of a year; 400 years have
    /// 146,097 days (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    public var daysSince1970: Int { Self.days(year: year, month: month, day: day) }

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.flooredQuotient(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the days from 1970-01-01 to the first day of a month; months are counted from January of year 0.
    package static func daysSince1970(ofMonth month: Int) -> Int {
        let year = month.flooredQuotient(by: 12)
        return days(year: year, month: month - year * 12 + 1, day: 1)
    }

    /// Creates the day that is this many days after 1970-01-01.
    public init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

extension CivilDate: Comparable {
    /// The earlier day comes first.
    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension CivilDate: CustomStringConvertible {
    /// The ISO form: `2024-02-29`.
    public var description: String { String(start.iso.prefix(10)) }
}

extension Int {
    /// Returns the quotient rounded down, for instants before 1970.
    package func flooredQuotient(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
