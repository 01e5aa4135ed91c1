package import SystemIO

/// The forms of a table.
package struct TableForms: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let text = TableForms(rawValue: 1)
    package static let csv = TableForms(rawValue: 2)
    package static let json = TableForms(rawValue: 4)
    package static let arrow = TableForms(rawValue: 8)
    package static let all: TableForms = [.text, .csv, .json, .arrow]
}

/// A column of a table: its name, and what it has in each row.
package struct TableColumn<Row> {
    /// The name, which is that of the member in JSON.
    package let name: String
    package let forms: TableForms
    package let title: String
    package let subtitle: String
    package let isOptional: Bool
    package let isNumber: Bool
    package let isNullable: Bool
    /// Whether values are paths, of which the end tells most.
    package let isPath: Bool
    /// Returns the value of a row, as a function that returns its type.
    package let function: Any
    /// Returns the value of a row; nil if it has none.
    package let value: (Row) -> (any TableCell)?
    /// Returns the value of a row for people; empty if it has none.
    package let text: (Row) -> TerminalText

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - forms: The forms that have the column.
    ///   - title: The title in text; nil for the name.
    ///   - subtitle: What stands below it.
    ///   - isOptional: Whether text leaves the column out where there is no room.
    ///   - isNumber: Whether values are aligned right; nil if the type decides.
    ///   - isNullable: Whether a missing value is null in JSON instead of a missing member.
    ///   - isPath: Whether text cuts values at their start where there is no room.
    ///   - shown: Returns a value for people; nil for the usual form of its type.
    ///   - value: Returns the value of a row.
    package init<Cell: TableCell>(
        _ name: String, in forms: TableForms = .all, title: String? = nil, subtitle: String = "",
        isOptional: Bool = false, isNumber: Bool? = nil, isNullable: Bool = false, isPath: Bool = false,
        shown: ((Cell) -> String)? = nil, _ value: @escaping (Row) -> Cell?
    ) {
        self.name = name
        self.forms = forms
        self.title = title ?? name
        self.subtitle = subtitle
        self.isOptional = isOptional
        self.isNumber = isNumber ?? Cell.isNumber
        self.isNullable = isNullable
        self.isPath = isPath
        self.value = value
        function = value
        text = { row in
            guard let cell = value(row) else { return "" }
            return shown.map { "\($0(cell))" } ?? cell.shownText
        }
    }
}
