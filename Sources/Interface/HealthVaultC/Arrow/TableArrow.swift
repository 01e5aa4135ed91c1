import ByteText
import Tables

/// A table whose rows are computed when they are read, one part after the other.
final class ComputedTable<Part, Row>: TableSource {
    let schema: ArrowField
    private let columns: [([Row]) -> ArrowColumn]
    private let listParts: () throws -> [Part]
    /// The parts that are left; nil until the first row is asked for.
    private var parts: ArraySlice<Part>?
    private let arrays: (Part) throws -> [[Row]]
    /// The arrays of the current part that were not returned.
    private var rest: ArraySlice<[Row]> = []

    /// Creates a table of several parts, of which only one is in memory.
    ///
    /// - Parameters:
    ///   - columns: The columns, of which those of other forms are left out.
    ///   - metadata: Facts about the table.
    ///   - parts: What its rows are computed of; computed when the first row is asked for.
    ///   - arrays: Computes the rows of each array of a part.
    init(
        _ columns: [TableColumn<Row>], metadata: [(name: String, value: String)] = [],
        of parts: @autoclosure @escaping () throws -> [Part],
        _ arrays: @escaping (Part) throws -> [[Row]]
    ) {
        let columns = columns.filter { $0.forms.contains(.arrow) }.map(\.arrow)
        self.columns = columns.map(\.values)
        listParts = parts
        self.arrays = arrays
        schema = .table(columns.map(\.field), metadata: metadata)
    }

    /// Creates a table that is computed as a whole.
    convenience init(
        _ columns: [TableColumn<Row>], metadata: [(name: String, value: String)] = [],
        _ arrays: @escaping () throws -> [[Row]]
    ) where Part == Void {
        self.init(columns, metadata: metadata, of: [()]) { _ in try arrays() }
    }

    func next() throws -> ArrowColumn? {
        if parts == nil { parts = try listParts()[...] }
        while rest.isEmpty, let part = parts?.popFirst() {
            // Frees the part before.
            rest = []
            rest = try arrays(part)[...]
        }
        return rest.popFirst().map { rows in ArrowColumn(rows: rows.count, columns.map { $0(rows) }) }
    }
}

/// A text that many rows have: a dictionary in Arrow.
struct RepeatedText: TableCell {
    let cellText: String
}

extension TableColumn {
    /// Its name and type, and the function that returns its values in some rows; integers, truth values and
    /// days are in all of them.
    fileprivate var arrow: (field: ArrowField, values: ([Row]) -> ArrowColumn) {
        switch function {
        case let value as (Row) -> Int?:
            (.integer(name), { ArrowColumn($0.map { Int64(value($0) ?? 0) }) })
        case let value as (Row) -> Double?: (.double(name), { ArrowColumn(optional: $0.map(value)) })
        case let value as (Row) -> Bool?:
            (.flag(name), { ArrowColumn(flags: $0.map { value($0) ?? false }) })
        case let value as (Row) -> Timestamp?: (.time(name), { ArrowColumn(times: $0.map(value)) })
        case let value as (Row) -> CivilDate?:
            (.day(name), { ArrowColumn(days: $0.map { value($0) ?? CivilDate(daysSince1970: 0) }) })
        case let value as (Row) -> RepeatedText?:
            (
                .repeatedText(name, isPlain: false),
                { TextColumn($0.map { value($0)?.cellText }).column(isPlain: false) }
            )
        case let value as (Row) -> [String]?:
            (
                .list(name, of: .text("item")),
                { ArrowColumn(lists: $0.map { value($0) ?? [] }) { ArrowColumn(texts: $0) } }
            )
        case let value as (Row) -> [Double]?:
            (
                .list(name, of: .double("item")),
                { ArrowColumn(lists: $0.map { value($0) ?? [] }) { ArrowColumn($0) } }
            )
        default: (.text(name), { ArrowColumn(texts: $0.map { value($0)?.cellText }) })
        }
    }
}

extension ArrowColumn {
    /// Makes a column of times in microseconds.
    init(times: [Timestamp?]) {
        self.init(optional: times.map { $0.map { Int64($0.seconds) &* 1_000_000 } })
    }

    /// Makes a column of days.
    init(days: [CivilDate]) { self.init(days.map { Int32(clamping: $0.daysSince1970) }) }
}
