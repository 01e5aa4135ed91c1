import ByteText
import Tables

extension WholeTable {
    /// Creates a table of columns.
    ///
    /// - Parameters:
    ///   - columns: The columns, of which those of other forms are left out.
    ///   - metadata: Facts about the table.
    ///   - arrays: Computes the rows of each array.
    convenience init<Row>(
        _ columns: [TableColumn<Row>], metadata: [(name: String, value: String)] = [],
        _ arrays: @escaping () throws -> [[Row]]
    ) {
        let columns = columns.filter { $0.forms.contains(.arrow) }
        self.init(.table(columns.map(\.field), metadata: metadata)) {
            try arrays().map { rows in ArrowColumn(rows: rows.count, columns.map { $0.arrow(rows) }) }
        }
    }
}

extension TableColumn {
    /// Its name and type.
    fileprivate var field: ArrowField {
        switch type {
        case is Int.Type: .integer(name)
        case is Double.Type: .double(name)
        case is Timestamp.Type: .time(name)
        case is CivilDate.Type: .day(name)
        case is [String].Type: .list(name, of: .text("item"))
        case is [Double].Type: .list(name, of: .double("item"))
        default: .text(name)
        }
    }

    /// Returns its values in some rows; only integers are in all of them.
    fileprivate func arrow(_ rows: [Row]) -> ArrowColumn {
        let cells = rows.map(value)
        return switch type {
        case is Int.Type: ArrowColumn(cells.map { Int64($0 as? Int ?? 0) })
        case is Double.Type: ArrowColumn(optional: cells.map { $0 as? Double })
        case is Timestamp.Type: ArrowColumn(times: cells.map { $0 as? Timestamp })
        case is CivilDate.Type: ArrowColumn(days: cells.compactMap { $0 as? CivilDate })
        case is [String].Type:
            ArrowColumn(lists: cells.map { $0 as? [String] ?? [] }) { ArrowColumn(texts: $0) }
        case is [Double].Type: ArrowColumn(lists: cells.map { $0 as? [Double] ?? [] }) { ArrowColumn($0) }
        default: ArrowColumn(texts: cells.map { $0?.cellText })
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
