extension CivilDate: ExpressibleByStringLiteral {
    /// The day that a literal in a program spells: `"2024-02-29"`.
    ///
    /// The program ends if there is no such day. For a text from elsewhere there is ``init(_:)``.
    public init(stringLiteral text: String) {
        guard let day = CivilDate(Array(text.utf8).span) else { preconditionFailure("no day: \(text)") }
        self = day
    }
}

extension TimeLimit: ExpressibleByStringLiteral {
    /// The day or the instant that a literal in a program spells: `"2024-02-29"`, `"2024-02-29T12:00:00Z"`.
    ///
    /// The program ends if it is neither. For a text from elsewhere there is ``init(parsing:)``.
    public init(stringLiteral text: String) {
        guard let limit = TimeLimit(parsing: text) else { preconditionFailure("no time: \(text)") }
        self = limit
    }
}
