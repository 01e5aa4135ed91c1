package import CommandLineKit
package import SystemIO
package import Tables

/// The options for the form of a report.
package struct ReportOptions: Sendable {
    package var json = false
    package var csv = false
    /// The whole that the report is a part of; nil if it is the whole.
    package var part: CombinedAnswer.Part?

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
        let table = part.map { table.naming(archive: $0.archive) } ?? table
        if json {
            try part?.whole.beginObject()
            try printJSON(table)
        } else if csv {
            for warning in table.warnings { warn(warning) }
            if needsTitle(table.csvTitle) { try Console.print(csv: [table.csvTitle]) }
            try Console.print(csv: table.rows.lazy.map(table.csvLine))
        } else {
            try printText(table)
        }
    }

    /// Writes a warning, which names the source if there are several.
    package func warn(_ warning: TerminalText) { Console.log(note: "warning: " + place + warning) }

    /// Writes a message, which names the source if there are several.
    package func log(_ message: TerminalText) { Console.log(note: place + message) }

    private var place: TerminalText { part.map { "\($0.archive): " } ?? "" }

    /// Returns whether lines of CSV need a title.
    func needsTitle(_ title: [UInt8]) -> Bool { part?.whole.needsTitle(title) ?? true }

    /// Returns the text of a table.
    func text<Row>(of table: Table<Row>) throws(SystemError) -> TableText<Row> {
        try part?.whole.text(of: table) ?? TableText(table)
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
        var output = try text(of: table)
        for row in table.rows { try output.print(row) }
        if let part {
            part.whole.keep(output.rows)
            part.whole.keep(
                footnote: output.hasFootnote ? table.footnote?.text : nil, notes: table.notes,
                warnings: table.warnings, of: part.archive)
            return
        }
        let lines = output.takeLines()
        var notes = [output.rows.omission].compactMap(\.self)
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
    /// The rows that were not printed.
    private(set) var rows: TextRows
    /// Whether the footnote applies to a row.
    private(set) var hasFootnote = false

    /// Creates the lines of a table, below rows with the same titles if there are such.
    init(_ table: Table<Row>, continuing former: TextRows? = nil) {
        self.table = table
        let columns = table.columns(in: .text)
        self.columns = columns
        if let former {
            rows = former
            return
        }
        var titles = table.hasTitles ? [columns.map { TerminalText("\($0.title)") }] : []
        if columns.contains(where: { !$0.subtitle.isEmpty }) {
            titles.append(columns.map { "\($0.subtitle)" })
        }
        let layout = TextTable(
            columns.map { $0.isNumber ? .right : $0.isPath ? .path : .left },
            optional: Set(columns.indices.filter { columns[$0].isOptional }))
        rows = TextRows(titles, layout, isAmount: table.marks?.isAmount, omission: table.omission)
    }

    /// Adds a row, and prints those that there are if they are enough.
    mutating func print(_ row: Row) throws(SystemError) {
        hasFootnote = hasFootnote || table.footnote?.applies(row) ?? false
        rows.append(columns.map { $0.text(row) }, table.marks?.value(row))
        if rows.count >= table.rowsAtOnce { try Console.print(.lines(takeLines())) }
    }

    /// Removes the rows that were not printed, and returns them as lines.
    mutating func takeLines() -> [TerminalText] { rows.lines() }
}

/// Rows of text, of which those that were not printed are kept.
struct TextRows {
    private let titles: [[TerminalText]]
    private var layout: TextTable
    /// Whether the small bars at the ends of lines show amounts; nil if there are none.
    private let isAmount: Bool?
    /// Says how many columns are left out, in the words of the table.
    private let omissionText: (@Sendable (Int) -> TerminalText)?
    private var rows: [[TerminalText]]
    /// What the bars show.
    private var values: [Double?]

    /// Creates rows that begin with titles.
    init(
        _ titles: [[TerminalText]], _ layout: TextTable, isAmount: Bool?,
        omission: (@Sendable (Int) -> TerminalText)?
    ) {
        omissionText = omission
        self.titles = titles
        self.layout = layout
        self.isAmount = isAmount
        rows = titles
        values = titles.map { _ in nil }
    }

    /// The number of rows that were not printed.
    var count: Int { rows.count }

    /// A note on the columns that were left out of what was printed; nil if there are none.
    var omission: TerminalText? {
        let count = layout.omitted.count
        guard count > 0 else { return nil }
        return omissionText?(count)
            ?? "\(NumberText.count(count, "column")) left out: a wider terminal or --json shows them"
    }

    /// Returns whether both can stand below the same titles.
    func hasTitles(of other: TextRows) -> Bool { titles == other.titles && isAmount == other.isAmount }

    /// Adds a row.
    mutating func append(_ cells: [TerminalText], _ value: Double?) {
        rows.append(cells)
        values.append(value)
    }

    /// Removes the rows that were not printed, and returns them as lines.
    mutating func lines() -> [TerminalText] {
        defer { (rows, values) = ([], []) }
        let lines = layout.columnCount == 0 ? [] : layout.lines(rows)
        guard let isAmount else { return lines }
        return isAmount ? LineMarks.append(values, to: lines) : LineMarks.append(places: values, to: lines)
    }
}
