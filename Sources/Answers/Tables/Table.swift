import HealthFormats
package import SystemIO

/// An answer to a question: typed columns, rows as they come, and notes.
///
/// A question makes one table; all forms are made of it. So a new question is a function that returns a table.
package struct Table<Row> {
    /// The columns of all forms, in their order.
    package private(set) var columns: [TableColumn<Row>]
    /// The rows, which may be computed as they are read.
    package let rows: AnySequence<Row>
    /// The name of the rows in JSON; nil if it has none.
    package let name: String?
    /// What JSON has before the rows.
    package var facts: [TableObject.Member]
    /// What JSON has after the rows.
    package var closing: [TableObject.Member] = []
    /// What text has below the rows.
    package var notes: [TerminalText] = []
    /// What is missing: below the notes in text, and logged with CSV.
    package var warnings: [TerminalText] = []
    /// A note that stands before the others if it applies to one of the rows.
    package var footnote: (applies: (Row) -> Bool, text: TerminalText)?
    /// Returns the note on so many columns that text has left out.
    package var omission: (@Sendable (Int) -> TerminalText)?
    /// What small bars at the ends of lines of text show.
    package var marks: (value: (Row) -> Double?, isAmount: Bool)?
    /// Whether text has titles.
    package var hasTitles = true
    /// How many rows are printed before all are known: in text, the widest of them determine the first widths.
    package var rowsAtOnce = Int.max

    /// Creates a table of these rows.
    package init(
        _ name: String?, _ rows: some Sequence<Row>, _ columns: [TableColumn<Row>],
        facts: [TableObject.Member] = []
    ) {
        self.name = name
        self.facts = facts
        self.rows = AnySequence(rows)
        self.columns = columns
    }

    /// Returns the table with a first column of the archive that all rows are of.
    package func naming(archive: BytePath, in forms: TableForms = [.text, .csv]) -> Table {
        var table = self
        // Text that has no columns has notes alone.
        let isText = !columns(in: .text).isEmpty
        table.columns.insert(
            TableColumn("archive", in: isText ? forms : forms.subtracting(.text), isPath: true) { _ in archive
            },
            at: 0)
        return table
    }

    /// Returns the columns of a form.
    package func columns(in form: TableForms) -> [TableColumn<Row>] {
        columns.filter { $0.forms.contains(form) }
    }

    /// The first line of CSV, without its end.
    package var csvTitle: [UInt8] { CSVCell.line(columns(in: .csv).map(\.name)) }

    /// Returns the function that makes a line of CSV, without its end.
    package var csvLine: (Row) -> [UInt8] {
        let values = columns(in: .csv).map(\.value)
        return { row in CSVCell.line(values.map { $0(row)?.cellText ?? "" }) }
    }

    /// Returns the function that makes the object of a row in JSON.
    package var object: (Row) -> TableObject {
        let columns = columns(in: .json).map { (name: $0.name, value: $0.value, isNullable: $0.isNullable) }
        return { row in
            var members: [TableObject.Member] = []
            members.reserveCapacity(columns.count)
            for (name, value, isNullable) in columns {
                let value = value(row)
                if value != nil || isNullable { members.append((name, value)) }
            }
            return TableObject(members)
        }
    }
}
