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

    /// The day as ``init(parsing:)`` reads it: `day`, `sunday`, `15`, `last`.
    public var text: String {
        switch self {
        case .daily: "day"
        case .weekly(let day): day.name
        case .monthly(let day): day == Self.last ? "last" : String(day)
        }
    }

    /// The recurrence for people: `every sunday`.
    public var words: String {
        switch self {
        case .daily: "every day"
        case .weekly(let day): "every \(day.name)"
        case .monthly(Self.last): "on the last day of every month"
        case .monthly(let day): "on day \(day) of every month"
        }
    }

    /// Reads `day`, a day of the week, or a day of the month from `1` to `31` or `last`; nil for any other text.
    public init?(parsing text: String) {
        if text == "day" {
            self = .daily
        } else if let day = Weekday(named: text) {
            self = .weekly(day)
        } else if text == "last" {
            self = .monthly(Self.last)
        } else if let day = Int(text), (1...31).contains(day), String(day) == text {
            self = .monthly(day)
        } else {
            return nil
        }
    }

    /// The number that means the last day of every month.
    static let last = 31
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
