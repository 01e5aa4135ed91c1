/// The rule for when summer time begins and ends in every year, from the footer of a TZif file: a POSIX `TZ` string
/// with the extended hours of RFC 8536 (section 3.3.1).
struct DaylightRule: Sendable, Equatable {
    /// The offset of standard time in seconds east of UTC.
    private let standard: Int
    /// Summer time; nil if there is none.
    private let summer: Summer?

    private struct Summer: Equatable {
        let offset: Int
        let start: YearDay
        let end: YearDay
    }

    /// Reads a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    init?(_ text: [UInt8]) {
        var reader = RuleReader(text)
        guard reader.name(), let west = reader.time() else { return nil }
        standard = -west
        if reader.isAtEnd {
            summer = nil
            return
        }
        guard reader.name() else { return nil }
        // An hour ahead of standard time by default.
        var offset = standard + 3600
        if !reader.isNext(",") {
            guard let west = reader.time() else { return nil }
            offset = -west
        }
        guard let start = reader.yearDay(), let end = reader.yearDay(), reader.isAtEnd else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    /// Returns the offset at an instant, in seconds east of UTC.
    func offset(at seconds: Int) -> Int {
        guard let summer else { return standard }
        let year = CivilDate(daysSince1970: (seconds + standard).flooredQuotient(by: 86400)).year
        // Each change is given in the local time before it.
        let start = summer.start.seconds(in: year) - standard
        let end = summer.end.seconds(in: year) - summer.offset
        // In the southern hemisphere, summer time is outside this range.
        let isSummer =
            start < end ? (start..<end).contains(seconds) : !(end..<start).contains(seconds)
        return isSummer ? summer.offset : standard
    }
}

/// A day of every year, and a time on it.
private struct YearDay: Equatable {
    enum Day: Equatable {
        /// The number of the day, 1 to 365, never counting February 29.
        case withoutLeapDay(Int)
        /// The number of the day, 0 to 365, counting February 29.
        case withLeapDay(Int)
        /// A weekday (0 is Sunday) of a week of a month; week 5 is the last one.
        case weekday(month: Int, week: Int, weekday: Int)
    }

    let day: Day
    /// Seconds after midnight.
    let time: Int

    /// Returns the change in a year, in seconds since 1970 as if the local time were UTC.
    func seconds(in year: Int) -> Int { days(in: year) * 86400 + time }

    private func days(in year: Int) -> Int {
        let january = CivilDate.daysSince1970(ofMonth: year * 12)
        switch day {
        case .withLeapDay(let number): return january + number
        case .withoutLeapDay(let number):
            let march = CivilDate.daysSince1970(ofMonth: year * 12 + 2)
            return number > 59 ? march + number - 60 : january + number - 1
        case .weekday(let month, let week, let weekday):
            let first = CivilDate.daysSince1970(ofMonth: year * 12 + month - 1)
            let next = CivilDate.daysSince1970(ofMonth: year * 12 + month)
            // 1970-01-01 was a Thursday.
            let offset = (weekday - (first + 4) % 7 + 14) % 7
            let day = first + offset + (week - 1) * 7
            return day < next ? day : day - 7
        }
    }
}

/// Reads the parts of a rule.
private struct RuleReader {
    private let text: [UInt8]
    private var index = 0

    init(_ text: [UInt8]) { self.text = text }

    var isAtEnd: Bool { index == text.count }

    func isNext(_ byte: Unicode.Scalar) -> Bool { index < text.count && text[index] == UInt8(ascii: byte) }

    /// Skips the name of a time: letters, or anything between `<` and `>`.
    mutating func name() -> Bool {
        let start = index
        if accept("<") {
            index = text.span.firstIndex(of: UInt8(ascii: ">"), from: index)
            return accept(">")
        }
        while index < text.count, (text[index] | 0x20) &- 0x61 < 26 { index += 1 }
        return index > start
    }

    /// Reads `[+-]hh[:mm[:ss]]`, in seconds.
    mutating func time() -> Int? {
        let isNegative = accept("-")
        if !isNegative { _ = accept("+") }
        guard let hours = number(0...167) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where accept(":") {
            guard let count = number(0...59) else { return nil }
            seconds += count * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// Reads `,Mm.w.d`, `,Jn` or `,n`, each with an optional `/time`, which defaults to 02:00.
    mutating func yearDay() -> YearDay? {
        guard accept(",") else { return nil }
        let day: YearDay.Day
        if accept("M") {
            guard let month = number(1...12), accept("."), let week = number(1...5), accept("."),
                let weekday = number(0...6)
            else { return nil }
            day = .weekday(month: month, week: week, weekday: weekday)
        } else if accept("J") {
            guard let number = number(1...365) else { return nil }
            day = .withoutLeapDay(number)
        } else {
            guard let number = number(0...365) else { return nil }
            day = .withLeapDay(number)
        }
        guard accept("/") else { return YearDay(day: day, time: 2 * 3600) }
        return time().map { YearDay(day: day, time: $0) }
    }

    private mutating func accept(_ byte: Unicode.Scalar) -> Bool {
        guard isNext(byte) else { return false }
        index += 1
        return true
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let start = index
        var number = 0
        while index < text.count, index - start < 4, text[index] &- 0x30 < 10 {
            number = number * 10 + Int(text[index] &- 0x30)
            index += 1
        }
        return index > start && range.contains(number) ? number : nil
    }
}
