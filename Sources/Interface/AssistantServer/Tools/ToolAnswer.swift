import ByteText
import HealthModel
import SystemIO

/// The answer of a tool: facts about everything that matched, and a table of which as many rows are sent as fit.
struct ToolAnswer: Sendable {
    /// The names of the columns.
    var columns: [String] = []
    /// The rows, each an array in JSON.
    var rows: [[UInt8]] = []
    /// The number of rows before any were left out.
    var total = 0
    /// Whether rows are left out from the start rather than from the end.
    var keepsLatest = false
    /// Returns the place of the page after, given how many rows were sent; nil if this is the last page.
    var nextPlace: (@Sendable (Int) -> Int?)?
    /// The facts, each in JSON.
    private var facts: [(name: String, json: [UInt8])] = []

    /// Adds a fact.
    mutating func fact(_ name: String, _ write: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        write(&writer)
        facts.append((name, writer.bytes))
    }

    /// Adds a fact that is text of this program.
    mutating func fact(_ name: String, _ text: String) { fact(name) { $0.string(text) } }

    /// Adds a fact that is a number.
    mutating func fact(_ name: String, _ number: Int) { fact(name) { $0.integer(number) } }

    /// Adds a row.
    mutating func row(_ write: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.array(write)
        rows.append(writer.bytes)
        total += 1
    }

    /// The maximum number of bytes of a line with an answer.
    static let longestLine = 20_000
    /// What surrounds an answer in its line, at most.
    private static let framing = 700

    /// Returns how many rows can be sent.
    ///
    /// A line has the answer twice: as an object, and as text, in which each quotation mark has an escape.
    var rowsThatFit: Int {
        var space = Self.longestLine - Self.framing - Self.cost(text(rows: []))
        var count = 0
        for row in keepsLatest ? Array(rows.reversed()) : rows {
            space -= Self.cost(row) + 2
            guard space >= 0 else { return count }
            count += 1
        }
        return count
    }

    /// Whether all rows can be sent.
    var fits: Bool { rowsThatFit == rows.count }

    /// Returns the bytes that JSON takes in a line.
    private static func cost(_ json: [UInt8]) -> Int {
        2 * json.count + json.count { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    }

    /// Returns the answer in JSON, with as many rows as fit, and their number.
    func json() -> (text: [UInt8], rows: Int) {
        let count = rowsThatFit
        return (text(rows: keepsLatest ? rows.suffix(count) : rows.prefix(count)), count)
    }

    private func text(rows: ArraySlice<[UInt8]>) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, json) in facts {
                writer.key(name)
                writer.raw(json.span)
            }
            writer.member("columns", columns)
            writer.key("rows")
            writer.array { writer in for row in rows { writer.raw(row.span) } }
            writer.member("shown", rows.count)
            writer.member("total", total)
            writer.member("truncated", rows.count < total)
            if let place = nextPlace?(rows.count) { writer.member("nextCursor", Cursor.text(place)) }
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
    /// Returns a unit as an answer names it: a percentage is stored as a fraction, which nobody should take for a percentage.
    static func text(_ unit: String) -> String {
        unit == HealthUnit.percent.description ? "fraction (1 is 100 %)" : ForeignText.shown(unit)
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
