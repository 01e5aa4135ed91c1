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
