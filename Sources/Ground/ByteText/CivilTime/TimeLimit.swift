/// A bound of a time range, as people write it.
public enum TimeLimit: Sendable, Hashable {
    /// A day, all of which belongs to the range.
    case day(CivilDate)
    /// The days from one to another, such as those of a month.
    case days(CivilDate, CivilDate)
    /// The day that is this many days before that of the export.
    case daysAgo(Int)
    /// The seconds at which clocks show a time, counted from 1970-01-01 at midnight: one, or all of a minute.
    case local(ClosedRange<Int>)
    /// An instant, which belongs to the range.
    case instant(Timestamp)
    /// The minute that begins at an instant, all of which belongs to the range.
    case minute(Timestamp)

    /// Reads a day, `2023-05-01`, a month, `2023-05`, a year, `2023`, `today` or `yesterday`, a time of day without an
    /// offset, `2023-05-01T10:30`, or an instant as in RFC 3339: `2023-05-01T10:30:00+02:00`, `2023-05-01T08:30:00Z`, where the
    /// seconds may be missing.
    ///
    /// Fractions of a second are ignored: times of the Health app have none.
    public init?(parsing text: String) {
        let bytes = Array(text.utf8)
        if let day = CivilDate(bytes.span) {
            self = .day(day)
            return
        }
        guard bytes.count > 10 else {
            guard let limit = Self.days(text) else { return nil }
            self = limit
            return
        }
        if let local = Self.local(bytes) {
            self = local
            return
        }
        guard bytes.count > 16 else { return nil }
        // Without seconds, it is a whole minute.
        let length = bytes[16] == UInt8(ascii: ":") ? 19 : 16
        guard bytes.count > length else { return nil }
        var time = bytes[..<length] + Array((length == 16 ? ":00" : "").utf8)
        if [UInt8(ascii: "t"), UInt8(ascii: " ")].contains(time[10]) { time[10] = UInt8(ascii: "T") }
        var zone = bytes[length...]
        if length == 19, zone.first == UInt8(ascii: ".") {
            let digits = zone.dropFirst().prefix { $0 &- 0x30 < 10 }
            guard !digits.isEmpty else { return nil }
            zone = zone.dropFirst(1 + digits.count)
        }
        // UTC has three spellings, only one of which is used in files.
        let isUniversal = ["Z", "z", "-00:00"].contains { zone.elementsEqual($0.utf8) }
        time += isUniversal ? Array("+00:00".utf8) : Array(zone)
        guard let instant = Timestamp(iso: time.span) else { return nil }
        self = length == 16 ? .minute(instant) : .instant(instant)
    }

    /// Reads a year, a month, or a word for a day.
    private static func days(_ text: String) -> Self? {
        switch text.lowercased() {
        case "today": return .daysAgo(0)
        case "yesterday": return .daysAgo(1)
        default: break
        }
        func day(_ rest: String) -> CivilDate? {
            let bytes = Array((text + rest).utf8)
            return CivilDate(bytes.span)
        }
        if text.utf8.count == 4, let first = day("-01-01"), let last = day("-12-31") {
            return .days(first, last)
        }
        guard text.utf8.count == 7, let first = day("-01"),
            let last = (28...31).reversed().lazy.compactMap({ day("-\($0)") }).first
        else { return nil }
        return .days(first, last)
    }

    /// Reads a time without an offset, with seconds or without.
    private static func local(_ bytes: [UInt8]) -> Self? {
        guard bytes.count == 16 || bytes.count == 19 else { return nil }
        var time = bytes
        if [UInt8(ascii: "t"), UInt8(ascii: " ")].contains(time[10]) { time[10] = UInt8(ascii: "T") }
        time += Array((bytes.count == 16 ? ":00+00:00" : "+00:00").utf8)
        guard let seconds = Timestamp(iso: time.span)?.seconds else { return nil }
        return .local(seconds...seconds + (bytes.count == 16 ? 59 : 0))
    }

    /// Returns its seconds since 1970.
    ///
    /// - Parameters:
    ///   - days: The rule for days.
    ///   - now: The current time, usually that of the export.
    public func seconds(_ days: Days, now: Int) -> Range<Int> {
        func range(_ first: Int, _ last: Int) -> Range<Int> {
            let start = days.start(ofDay: first)
            return start..<max(start, days.start(ofDay: last + 1))
        }
        switch self {
        case .day(let day): return range(day.daysSince1970, day.daysSince1970)
        case .days(let first, let last): return range(first.daysSince1970, last.daysSince1970)
        case .daysAgo(let count):
            let day = days.dayNumber(of: now) - count
            return range(day, day)
        case .local(let local):
            let start = days.instant(ofLocal: local.lowerBound)
            return start..<max(start + 1, days.instant(ofLocal: local.upperBound) + 1)
        case .instant(let instant): return instant.seconds..<instant.seconds + 1
        case .minute(let instant): return instant.seconds..<instant.seconds + 60
        }
    }
}

extension CivilDate: ExpressibleByStringLiteral {
    /// Creates a day from a literal: `"2024-02-29"`.
    ///
    /// The program stops if there is no such day. Use ``init(_:)`` for any other text.
    public init(stringLiteral text: String) {
        guard let day = CivilDate(Array(text.utf8).span) else { preconditionFailure("no day: \(text)") }
        self = day
    }
}

extension TimeLimit: ExpressibleByStringLiteral {
    /// Creates a limit from a literal: `"2024-02-29"`, `"2024-02-29T12:00:00Z"`.
    ///
    /// The program stops if it is neither a day nor an instant. Use ``init(parsing:)`` for any other text.
    public init(stringLiteral text: String) {
        guard let limit = TimeLimit(parsing: text) else { preconditionFailure("no time: \(text)") }
        self = limit
    }
}
