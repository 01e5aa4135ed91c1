package import CommandLineKit
package import SystemIO
package import Tables

/// The options for the form of a report.
package struct ReportOptions: Sendable {
    package var json = false
    package var csv = false

    package init(json: Bool = false) { self.json = json }

    package static let elements: [GrammarElement<ReportOptions>] = [
        .flag(\.json, "json", "print a JSON report"),
        .flag(\.csv, "csv", "print CSV"),
    ]

    package func validate() throws(UsageError) {
        guard !json || !csv else {
            throw UsageError(.invalidCombination, "--json and --csv exclude each other")
        }
    }
}

/// Prints tables.
extension ReportOptions {
    /// Prints a table in the requested form.
    package func print<Row>(_ table: Table<Row>) throws(SystemError) {
        if json {
            try printJSON(table)
        } else if csv {
            for warning in table.warnings { Console.log("warning: \(warning)") }
            try Console.print(csv: [table.csvTitle])
            try Console.print(csv: table.rows.lazy.map(table.csvLine))
        } else {
            try printText(table)
        }
    }

    private func printJSON<Row>(_ table: Table<Row>) throws(SystemError) {
        let head = String(decoding: TableObject(table.facts).json, as: UTF8.self)
        guard let name = table.name else { return try Console.print(json: head) }
        let object = table.object
        try Console.print(
            json: head, name, table.rows.lazy.map { object($0).json },
            closing: TableObject(table.closing).json)
    }

    private func printText<Row>(_ table: Table<Row>) throws(SystemError) {
        var output = TableText(table)
        for row in table.rows { try output.print(row) }
        let lines = output.lines()
        var notes = [output.omission].compactMap(\.self)
        if output.hasFootnote, let footnote = table.footnote { notes.append(footnote.text) }
        notes += table.notes + table.warnings.map { "warning: \($0)" }
        let text = lines + notes.flatMap { Console.wrapped($0) }
        if !text.isEmpty { try Console.print(.lines(text)) }
    }
}

/// The lines of a table as text, made of its rows as they come.
struct TableText<Row> {
    private let table: Table<Row>
    private let columns: [TableColumn<Row>]
    private var layout: TextTable
    /// The rows that were not printed.
    private var rows: [[TerminalText]]
    /// What the small bar at the end of each line shows.
    private var values: [Double?]
    /// Whether the footnote applies to a row.
    private(set) var hasFootnote = false

    init(_ table: Table<Row>) {
        self.table = table
        let columns = table.columns(in: .text)
        self.columns = columns
        layout = TextTable(
            columns.map { $0.isNumber ? .right : .left },
            optional: Set(columns.indices.filter { columns[$0].isOptional }))
        rows = table.hasTitles ? [columns.map { "\($0.title)" }] : []
        if columns.contains(where: { !$0.subtitle.isEmpty }) { rows.append(columns.map { "\($0.subtitle)" }) }
        values = rows.map { _ in nil }
    }

    /// A note on the columns that were left out; nil if all were printed.
    var omission: TerminalText? {
        let count = layout.omitted.count
        guard count > 0 else { return nil }
        return table.omission?(count)
            ?? "\(NumberText.count(count, "column")) left out: a wider terminal or --json shows them"
    }

    /// Adds a row, and prints those that there are if they are enough.
    mutating func print(_ row: Row) throws(SystemError) {
        hasFootnote = hasFootnote || table.footnote?.applies(row) ?? false
        rows.append(columns.map { $0.text(row) })
        values.append(table.marks?.value(row))
        if rows.count >= table.rowsAtOnce { try Console.print(.lines(lines())) }
    }

    /// Removes the rows that were not printed, and returns them as lines.
    mutating func lines() -> [TerminalText] {
        defer { (rows, values) = ([], []) }
        let lines = columns.isEmpty ? [] : layout.lines(rows)
        guard let marks = table.marks else { return lines }
        return marks.isAmount
            ? LineMarks.append(values, to: lines) : LineMarks.append(places: values, to: lines)
    }
}
