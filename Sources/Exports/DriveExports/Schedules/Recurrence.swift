public import ByteText

/// The days on which something is due.
public enum Recurrence: Sendable, Equatable {
    /// Every day.
    case daily
    /// A day of each week.
    case weekly(Weekday)
    /// A day of each month, 1 to 31; in a month without that day, its last day.
    case monthly(Int)

    /// Returns whether something is due on a day.
    func contains(_ day: CivilDate) -> Bool {
        switch self {
        case .daily: true
        case .weekly(let weekday): day.weekday == weekday
        case .monthly(let wanted): day.day == min(wanted, day.lastOfMonth)
        }
    }

    /// The recurrence in words that ``init(parsing:)`` reads: `daily`, `weekly sunday`, `monthly 15`, `monthly last`.
    public var text: String {
        switch self {
        case .daily: "daily"
        case .weekly(let day): "weekly \(day.name)"
        case .monthly(let day): "monthly \(day == Self.last ? "last" : String(day))"
        }
    }

    /// Reads a recurrence; nil if the text is not one.
    public init?(parsing text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        switch (words.first, words.count) {
        case ("daily", 1): self = .daily
        case ("weekly", 2):
            guard let day = Weekday(named: words[1]) else { return nil }
            self = .weekly(day)
        case ("monthly", 2):
            guard let day = Self.day(words[1]) else { return nil }
            self = .monthly(day)
        default: return nil
        }
    }

    /// The number that means the last day of every month.
    static let last = 31

    /// Reads the day of a month: 1 to 31, or `last`.
    public static func day(_ text: String) -> Int? {
        if text == "last" { return last }
        guard let day = Int(text), (1...31).contains(day), String(day) == text else { return nil }
        return day
    }
}

extension Weekday {
    /// The English name in lower case.
    public var name: String {
        switch self {
        case .monday: "monday"
        case .tuesday: "tuesday"
        case .wednesday: "wednesday"
        case .thursday: "thursday"
        case .friday: "friday"
        case .saturday: "saturday"
        case .sunday: "sunday"
        }
    }

    /// Reads an English name, or its first three letters; case is ignored.
    public init?(named text: String) {
        let word = text.lowercased()
        guard let found = Self.allCases.first(where: { $0.name == word || $0.name.prefix(3) == word }) else {
            return nil
        }
        self = found
    }
}

extension CivilDate {
    /// The day of the week.
    var weekday: Weekday { Weekday(ofDay: daysSince1970) }

    /// The number of the last day of its month.
    var lastOfMonth: Int {
        (29...31).reversed().first { CivilDate(year: year, month: month, day: $0) != nil } ?? 28
    }
}
