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
        metadata = words.filter { $0 != "night" && $0 != "heartbeats" }.map { name in
            guard let template = Catalogue.metadata[name] else { preconditionFailure("no metadata \(name)") }
            return template
        }
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

/// The form of the values of a type or metadata key, prepared so that each value costs a single draw.
enum ValueShape {
    /// No value.
    case none

    /// A number in units of the last of `digits` digits after the point.
    case number(ClosedRange<Int>, digits: Int)

    /// One of several texts, already escaped.
    case escaped([[UInt8]])

    static func text(_ texts: [String]) -> ValueShape {
        .escaped(texts.map { Array(ByteText.escaped($0).utf8) })
    }

    /// The members of a category's enumeration.
    static func members(of enumeration: String, _ members: [String]) -> ValueShape {
        .text(members.map { "HKCategoryValue" + enumeration + $0 })
    }

    /// Reads a column of the catalogue: `-`, a range of whole numbers, a range of thousandths and the number of digits
    /// as in `900...24000/3`, texts as in `=Lunch; Dinner`, or the name of an enumeration.
    init(column: String) {
        if column == "-" {
            self = .none
        } else if column.hasPrefix("=") {
            self = .text(column.dropFirst().split(separator: "; ").map(String.init))
        } else if column.first?.isNumber == true {
            let parts = column.split(separator: "/").map(String.init)
            let digits = parts.count > 1 ? RecordProfile.number(parts[1]) : 3
            // A number without digits is not in thousandths, and has none after its point.
            let range = FixedPoint.units(RecordProfile.range(parts[0]), digits: digits)
            self = .number(range, digits: parts.count > 1 ? digits : 0)
        } else {
            // One without members is a value itself, for categories that only state that something happened.
            self = .members(of: column, Catalogue.enumerations[column] ?? [""])
        }
    }

    var isPresent: Bool {
        if case .none = self { false } else { true }
    }

    func append(_ chance: inout SplitMix64, to text: inout ByteText) {
        switch self {
        case .none: break
        case .number(let range, let digits):
            text.append(FixedPoint(units: chance.pick(from: range), digits: digits))
        case .escaped(let texts): text.append(chance.pick(from: texts))
        }
    }
}

/// A metadata entry that some records of a type have.
struct MetadataTemplate {
    private let head: [UInt8]
    private let tail: [UInt8]
    private let value: ValueShape
    /// One in this many records has the entry.
    private let oneIn: Int
    /// How often the key occurs in a record that has it.
    private let times: Int

    /// Creates an entry; a unit is written after the value and a space.
    init(_ key: String, _ value: ValueShape, unit: String = "", oneIn: Int = 1, times: Int = 1) {
        head = Array("  <MetadataEntry key=\"\(ByteText.escaped(key))\" value=\"".utf8)
        tail = Array("\(unit.isEmpty ? "" : " \(ByteText.escaped(unit))")\"/>\n".utf8)
        self.value = value
        self.oneIn = oneIn
        self.times = times
    }

    /// Draws whether a record has the entry.
    func occurs(_ chance: inout SplitMix64) -> Bool { oneIn == 1 || chance.oneIn(oneIn) }

    func append(_ chance: inout SplitMix64, to stream: inout XMLStream) {
        for _ in 0..<times {
            stream.text.append(head)
            value.append(&chance, to: &stream.text)
            stream.text.append(tail)
        }
        stream.records.metadataEntries += times
    }
}
