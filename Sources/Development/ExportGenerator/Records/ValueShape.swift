/// The form of the values of a type or metadata key, prepared so that each value costs a single draw.
enum ValueShape {
    /// A number in units of the last of `digits` digits after the point.
    case number(ClosedRange<Int>, digits: Int)
    /// One of several texts, already escaped.
    case escaped([[UInt8]])

    static func text(_ texts: [String]) -> ValueShape {
        .escaped(texts.map { Array(ByteText.escaped($0).utf8) })
    }

    /// Reads a column of the catalogue: `-`, a range of whole numbers, a range of thousandths and the number of digits
    /// as in `900...24000/3`, texts as in `=Lunch; Dinner`, or the name of an enumeration.
    init?(column: String) {
        if column == "-" { return nil }
        if column.hasPrefix("=") {
            self = .text(column.dropFirst().split(separator: "; ").map(String.init))
        } else if column.first?.isNumber == true {
            let parts = column.split(separator: "/").map(String.init)
            let (range, digits) = (RecordProfile.range(parts[0]), parts.count > 1 ? Int(parts[1]) : nil)
            self = .number(digits.map { FixedPoint.units(range, digits: $0) } ?? range, digits: digits ?? 0)
        } else {
            // One without members is a value itself, for categories that only state that something happened.
            let prefix = "HKCategoryValue" + (column == "SleepStage" ? "SleepAnalysis" : column)
            self = .text((Catalogue.enumerations[column] ?? [""]).map { prefix + $0 })
        }
    }

    func append(_ chance: inout SplitMix64, to text: inout ByteText) {
        switch self {
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
    private let value: ValueShape?
    /// One in this many records has the entry.
    let oneIn: Int
    /// How often the key occurs in a record that has it.
    private let times: Int

    /// Creates an entry; a unit is written after the value and a space.
    init(_ key: String, _ value: ValueShape?, unit: String? = nil, oneIn: Int = 1, times: Int = 1) {
        head = Array("  <MetadataEntry key=\"\(key)\" value=\"".utf8)
        tail = Array("\(unit.map { " \($0)" } ?? "")\"/>\n".utf8)
        self.value = value
        self.oneIn = oneIn
        self.times = times
    }

    /// Reads a row of the catalogue.
    init(columns: [String]) {
        let often =
            columns.count > 3
            ? columns[3].split { "/*".contains($0) }.map { RecordProfile.number(String($0)) } : [1, 1]
        self.init(
            columns[1], ValueShape(column: columns[2]), unit: columns.count > 4 ? columns[4] : nil,
            oneIn: often[1], times: often.count > 2 ? often[2] : 1)
    }

    func append(_ chance: inout SplitMix64, to stream: inout XMLStream) {
        for _ in 0..<times {
            stream.text.append(head)
            value?.append(&chance, to: &stream.text)
            stream.text.append(tail)
        }
        stream.records.metadataEntries += times
    }
}
