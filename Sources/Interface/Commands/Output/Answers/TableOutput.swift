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

    /// The number of rows of which the widest determines the first widths of the columns.
    private static let rowsAtOnce = 1000

    private func printText<Row>(_ table: Table<Row>) throws(SystemError) {
        let columns = table.columns(in: .text)
        var layout = TextTable(
            columns.map { $0.isNumber ? .right : .left },
            optional: Set(columns.indices.filter { columns[$0].isOptional }))
        var rows: [[TerminalText]] = table.hasTitles ? [columns.map { "\($0.title)" }] : []
        if columns.contains(where: { !$0.subtitle.isEmpty }) { rows.append(columns.map { "\($0.subtitle)" }) }
        // What the small bar at the end of each line shows.
        var values: [Double?] = rows.map { _ in nil }
        var hasFootnote = false
        func lines() -> [TerminalText] {
            let lines = layout.lines(rows)
            guard let marks = table.marks else { return lines }
            return marks.isAmount
                ? LineMarks.append(values, to: lines) : LineMarks.append(places: values, to: lines)
        }
        for row in table.rows {
            hasFootnote = hasFootnote || table.footnote?.applies(row) ?? false
            rows.append(columns.map { $0.text(row) })
            values.append(table.marks?.value(row))
            guard table.isLong, rows.count >= Self.rowsAtOnce else { continue }
            try Console.print(.lines(lines()))
            (rows, values) = ([], [])
        }
        var text = columns.isEmpty ? [] : lines()
        if let omission = table.omission, !layout.omitted.isEmpty {
            text.append(omission(layout.omitted.count))
        }
        if hasFootnote, let footnote = table.footnote { text.append(footnote.text) }
        text += table.notes + table.warnings.map { "warning: \($0)" }
        if !text.isEmpty { try Console.print(.lines(text)) }
    }
}
