/// The layout of the blocks of a page, with the meanings of all its tables in one column.
struct HelpLayout {
    private let width: Int
    /// The column in which the meanings begin.
    private let column: Int

    /// The maximum width of a term that has its meaning on the same line.
    private static let widestTerm = 26
    private static let indent = "  "

    init(width: Int, rows: [HelpPage.Row]) {
        let limit = min(Self.widestTerm, width / 3)
        let widest = rows.map(\.term.count).filter { $0 <= limit }.max() ?? limit
        self.width = width
        column = Self.indent.count + widest + 2
    }

    func lines(of block: HelpPage.Block) -> [String] {
        switch block {
        case .text(let text):
            paragraphLines(of: text, width: width)
        case .usage(let invocation, let parts):
            usageLines("usage: \(invocation)", parts)
        case .table(let title, let rows):
            ["\(title):"] + rows.flatMap(lines(of:))
        case .examples(let examples):
            examples.isEmpty ? [] : ["examples:"] + examples.flatMap(lines(of:))
        }
    }

    private func lines(of example: HelpExample) -> [String] {
        wrap(example.meaning.split(separator: " ").map(String.init), width: width - 4)
            .map { Self.indent + "# " + $0 }
            + example.command.split(separator: "\n").enumerated().map { number, line in
                Self.indent + (number == 0 ? "" : spaces(4)) + line
            }
    }

    private func usageLines(_ start: String, _ parts: [String]) -> [String] {
        let indent = min(start.count + 1, width / 2)
        let lines = wrap([start] + parts, width: width, laterWidth: width - indent)
        return lines.prefix(1) + lines.dropFirst().map { spaces(indent) + $0 }
    }

    private func lines(of row: HelpPage.Row) -> [String] {
        let term = Self.indent + row.term
        let meaning = paragraphLines(of: row.meaning, width: width - column)
        guard let first = meaning.first else { return [term] }
        let later = meaning.dropFirst().map { spaces(column) + $0 }
        guard term.count + 2 <= column else { return [term, spaces(column) + first] + later }
        return [term + spaces(column - term.count) + first] + later
    }

    private func spaces(_ count: Int) -> String {
        String(repeating: " ", count: count)
    }
}
