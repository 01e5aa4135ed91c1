/// The characteristics of the records of one type.
struct RecordProfile {
    let type: String
    let unit: String?
    var value: ValueShape

    /// The share of the records' bytes, relative to the weights of the other types.
    let weight: Int

    /// The year in which the type was introduced.
    let since: Int

    /// Where records come from; an origin that is listed twice is twice as likely.
    let origins: [Origin]

    /// Seconds from the start of one record to that of the next; fewer if the years are too short for all records.
    let gap: Int

    /// Seconds from the start of a record to its end.
    let duration: ClosedRange<Int>

    var metadata: [MetadataTemplate]

    /// Whether the records occur only at night.
    let isNightly: Bool

    /// Whether the records list the heartbeats they were computed from.
    let hasHeartbeats: Bool

    /// Reads a row of the catalogue, which stops the program if it has a mistake.
    ///
    /// Origins may have a factor, as in `3*watch,phone`. After the columns come the names of metadata, and the words
    /// `night` and `heartbeats` for records that have these characteristics.
    init(row: String) {
        let columns = row.split(separator: " ").map(String.init)
        let name = columns[0]
        let isCategory = columns[1] == "-"
        type = name.hasPrefix("HK") ? name : "HK\(isCategory ? "Category" : "Quantity")TypeIdentifier\(name)"
        unit = isCategory ? nil : columns[1]
        value = ValueShape(column: columns[2])
        weight = Self.number(columns[3])
        since = Self.number(columns[4])
        origins = columns[5].split(separator: ",").flatMap { part in
            let words = part.split(separator: "*").map(String.init)
            let origin = Origin.allCases.filter { "\($0)" == words.last }
            precondition(!origin.isEmpty, "no origin \(part)")
            return Array(repeating: origin[0], count: words.count > 1 ? Self.number(words[0]) : 1)
        }
        gap = Self.number(columns[6])
        duration = Self.range(columns[7])
        let words = columns.dropFirst(8)
        isNightly = words.contains("night")
        hasHeartbeats = words.contains("heartbeats")
        metadata = words.filter { $0 != "night" && $0 != "heartbeats" }.map(MetadataTemplate.init(named:))
    }

    /// Reads `3...940`, or `1` for a range of one number.
    static func range(_ text: String) -> ClosedRange<Int> {
        let bounds = text.split(separator: ".").map { number(String($0)) }
        return bounds[0]...bounds[bounds.count - 1]
    }

    static func number(_ text: String) -> Int {
        guard let number = Int(text) else { preconditionFailure("no number: \(text)") }
        return number
    }
}
