/// A bound of a time range, as people write it.
public enum TimeLimit: Sendable, Hashable {
    /// A day, all of which belongs to the range.
    case day(CivilDate)
    /// An instant, which belongs to the range.
    case instant(Timestamp)

    /// Reads a day, `2023-05-01`, or an instant as in RFC 3339: `2023-05-01T10:30:00+02:00`, `2023-05-01T08:30:00Z`.
    ///
    /// Fractions of a second are ignored: times of the Health app have none.
    public init?(parsing text: String) {
        let bytes = Array(text.utf8)
        if let day = CivilDate(bytes.span) {
            self = .day(day)
            return
        }
        guard bytes.count > 19 else { return nil }
        var time = Array(bytes[..<19])
        if [UInt8(ascii: "t"), UInt8(ascii: " ")].contains(time[10]) { time[10] = UInt8(ascii: "T") }
        var zone = bytes[19...]
        if zone.first == UInt8(ascii: ".") {
            let digits = zone.dropFirst().prefix { $0 &- 0x30 < 10 }
            guard !digits.isEmpty else { return nil }
            zone = zone.dropFirst(1 + digits.count)
        }
        // UTC has three spellings, only one of which is used in files.
        let isUniversal = ["Z", "z", "-00:00"].contains { zone.elementsEqual($0.utf8) }
        time += isUniversal ? Array("+00:00".utf8) : Array(zone)
        guard let instant = Timestamp(iso: time.span) else { return nil }
        self = .instant(instant)
    }

    /// Returns its first second, with days that begin at midnight at this offset.
    public func firstSecond(offsetMinutes: Int) -> Int {
        switch self {
        case .day(let day): day.daysSince1970 * 86400 - offsetMinutes * 60
        case .instant(let instant): instant.seconds
        }
    }

    /// Returns its last second, with days that end at midnight at this offset.
    public func lastSecond(offsetMinutes: Int) -> Int {
        switch self {
        case .day: firstSecond(offsetMinutes: offsetMinutes) + 86399
        case .instant(let instant): instant.seconds
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
