import ByteText
import HealthModel
import SystemIO
import Tables

/// The answer of a tool: a table of which as many rows are sent as fit, with facts about everything that matched.
struct ToolAnswer: Sendable {
    private let facts: [TableObject.Member]
    private let columns: [String]
    /// The rows that fit, each an array in JSON.
    private(set) var rows: [[UInt8]] = []
    /// Whether all rows of the table fit.
    private(set) var fits = true
    private let total: Int
    private let place: Int?

    /// The maximum number of bytes of a line with an answer.
    static let longestLine = 20_000
    /// What surrounds an answer in its line, at most.
    private static let framing = 700

    /// Creates the answer with a table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - total: The number of rows before any were left out; nil for those of the table.
    ///   - keepsLatest: Whether rows are left out from the start rather than from the end.
    ///   - place: The place of the first row of a page among all rows; nil if there are no pages.
    init<Row>(_ table: Table<Row>, total: Int? = nil, keepsLatest: Bool = false, place: Int? = nil) {
        facts = table.facts
        columns = table.columns.map(\.name)
        let all = Array(table.rows)
        self.total = total ?? all.count
        self.place = place
        var space = Self.longestLine - Self.framing - Self.cost(json)
        for row in keepsLatest ? all.reversed() : all {
            var writer = JSONWriter()
            writer.array { writer in for column in table.columns { writer.cell(column.value(row)) } }
            space -= Self.cost(writer.bytes) + 2
            fits = space >= 0
            guard fits else { break }
            rows.append(writer.bytes)
        }
        if keepsLatest { rows.reverse() }
    }

    /// Returns the bytes that JSON takes in a line.
    ///
    /// A line has the answer twice: as an object, and as text, in which each quotation mark has an escape.
    private static func cost(_ json: [UInt8]) -> Int {
        2 * json.count + json.count { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    }

    /// The answer in JSON.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in facts {
                writer.key(name)
                writer.cell(value)
            }
            writer.member("columns", columns)
            writer.key("rows")
            writer.array { writer in for row in rows { writer.raw(row.span) } }
            writer.member("shown", rows.count)
            writer.member("total", total)
            writer.member("truncated", (place ?? 0) + rows.count < total)
            if let place, !rows.isEmpty, place + rows.count < total {
                writer.member("nextCursor", Cursor.text(place + rows.count))
            }
        }
        return writer.bytes
    }

    /// The schema of all answers.
    static let schema: [UInt8] = {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", "object")
            writer.key("properties")
            writer.object { writer in
                for (name, type) in [
                    ("archive", "object"), ("columns", "array"), ("rows", "array"), ("shown", "integer"),
                    ("total", "integer"), ("truncated", "boolean"), ("nextCursor", "string"),
                ] {
                    writer.key(name)
                    writer.object { $0.member("type", type) }
                }
            }
            writer.member("required", ["archive", "columns", "rows", "shown", "total", "truncated"])
        }
        return writer.bytes
    }()

    /// The place of a page, in a form that clients pass on without reading it.
    enum Cursor {
        static func text(_ place: Int) -> String { "p" + String(place, radix: 36) }

        static func place(_ text: String) -> Int? {
            guard text.hasPrefix("p"), let place = Int(text.dropFirst(), radix: 36), place >= 0 else {
                return nil
            }
            return place
        }
    }
}

/// The units of answers.
enum AnswerUnit: Sendable {
    /// Returns a unit as an answer names it: without molar masses, and as a fraction where values are
    /// stored as one, which nobody should take for a percentage.
    static func text(_ unit: String) -> String {
        unit == HealthUnit.percent.description
            ? "fraction (1 is 100 %)" : ForeignText.shown(HealthUnit.shownText(of: unit))
    }
}

/// A text of the export, such as the name of a source: data by a stranger, in which control characters are escaped.
enum ForeignText {
    private static let longest = 80

    static func shown(_ text: String) -> String {
        let printable = TerminalText(escaping: text).text
        return printable.count <= longest ? printable : printable.prefix(longest) + "…"
    }

    /// Returns as many names as fit into an answer.
    static func shown(_ names: [String]) -> [String] {
        let most = 12
        let shown = names.prefix(most).map { Self.shown($0) }
        return names.count > most ? shown + ["and \(names.count - most) more"] : Array(shown)
    }
}
