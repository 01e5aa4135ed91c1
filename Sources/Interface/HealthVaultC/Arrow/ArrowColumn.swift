/// A column of a table that is being built, in arrays that are copied into C's memory once.
struct ArrowColumn: Sendable {
    /// The values.
    enum Values: Sendable {
        case integers([Int64])
        case doubles([Double])
        case bools([Bool])
        case texts(ArrowTexts)
        /// The number of each row's text among the texts of the batch.
        case dictionary([Int32], ArrowTexts)
        /// The number of values up to each row's end, and the values of all rows.
        case lists(ends: [Int32], [Double])
    }

    let field: ArrowField
    var values: Values
    /// Whether each row is present; empty if all are.
    var present: [Bool] = []
}

/// Texts, one after the other.
struct ArrowTexts: Sendable {
    /// Where each text ends.
    private(set) var ends: [Int32] = []
    private(set) var bytes: [UInt8] = []

    var count: Int { ends.count }

    mutating func append(_ text: some Collection<UInt8>) {
        bytes += text
        ends.append(Int32(clamping: bytes.count))
    }
}

/// A column of a schema.
struct ArrowField: Sendable {
    /// The types of columns.
    enum Kind: Sendable {
        case integer
        case double
        case bool
        case text
        /// Texts that repeat, by their numbers.
        case dictionary
        /// An instant, in microseconds since 1970 in UTC.
        case instant
        /// Days since 1970.
        case day
        /// A list of numbers.
        case doubles

        /// The type in the notation of Arrow's C interface.
        var format: String {
            switch self {
            case .integer: "l"
            case .double: "g"
            case .bool: "b"
            case .text: "u"
            case .dictionary: "i"
            case .instant: "tsu:UTC"
            case .day: "tdD"
            case .doubles: "+l"
            }
        }
    }

    let name: String
    let kind: Kind

    init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// Rows of a table.
struct ArrowRows: Sendable {
    var columns: [ArrowColumn]
    let count: Int
}

/// A column of a small table that is written value by value.
struct ColumnBuilder: Sendable {
    let field: ArrowField
    private var integers: [Int64] = []
    private var doubles: [Double] = []
    private var bools: [Bool] = []
    private var texts = ArrowTexts()
    private var listEnds: [Int32] = []
    private var present: [Bool] = []
    private var hasNull = false

    init(_ field: ArrowField) { self.field = field }

    /// Appends a text.
    mutating func append(_ text: String?) {
        texts.append((text ?? "").utf8)
        mark(text != nil)
    }

    /// Appends a number; the value of an instant or a day is in its unit.
    mutating func append(_ number: Int?) {
        integers.append(Int64(number ?? 0))
        mark(number != nil)
    }

    /// Appends a number.
    mutating func append(_ number: Double?) {
        doubles.append(number ?? 0)
        mark(number != nil)
    }

    /// Appends a truth value.
    mutating func append(_ value: Bool) {
        bools.append(value)
        mark(true)
    }

    /// Appends a list.
    mutating func append(_ values: [Double]) {
        doubles += values
        listEnds.append(Int32(clamping: doubles.count))
        mark(true)
    }

    /// Appends an instant, given in seconds since 1970.
    mutating func append(seconds: Int?) { append(seconds.map { $0 * 1_000_000 }) }

    private mutating func mark(_ isPresent: Bool) {
        present.append(isPresent)
        hasNull = hasNull || !isPresent
    }

    /// The column.
    var column: ArrowColumn {
        let values: ArrowColumn.Values =
            switch field.kind {
            case .integer, .instant, .day: .integers(integers)
            case .double: .doubles(doubles)
            case .bool: .bools(bools)
            case .text, .dictionary: .texts(texts)
            case .doubles: .lists(ends: listEnds, doubles)
            }
        return ArrowColumn(field: field, values: values, present: hasNull ? present : [])
    }
}
