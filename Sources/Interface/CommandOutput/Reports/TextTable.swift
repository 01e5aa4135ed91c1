package import SystemIO

/// Rows of text in aligned columns.
///
/// Columns never become narrower, so the rows of a long table can be printed as they arrive.
package struct TextTable {
    /// The alignment of a column.
    package enum Alignment {
        case left
        case right
    }

    private let alignments: [Alignment]
    private var widths: [Int]

    package init(_ alignments: [Alignment]) {
        self.alignments = alignments
        widths = alignments.map { _ in 0 }
    }

    /// Returns rows as lines; empty columns take no space.
    package mutating func lines(_ rows: [[TerminalText]]) -> [TerminalText] {
        for row in rows {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.text.count) }
        }
        return rows.map { row in
            var cells: [TerminalText] = []
            for (column, cell) in row.enumerated() where widths[column] > 0 {
                let space: TerminalText = "\(String(repeating: " ", count: widths[column] - cell.text.count))"
                let isLast = row.dropFirst(column + 1).allSatisfy(\.isEmpty)
                if isLast, cell.isEmpty { continue }
                cells.append(alignments[column] == .right ? space + cell : isLast ? cell : cell + space)
            }
            return .joined(cells, separator: "  ")
        }
    }
}
