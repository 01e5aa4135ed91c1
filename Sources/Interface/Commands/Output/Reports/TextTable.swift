import ByteText
import HealthReport
package import SystemIO

/// Rows of text in aligned columns.
///
/// Columns never become narrower, so the rows of a long table can be printed as they arrive. On a terminal they are made
/// to fit its width: optional columns are left out, then long texts are cut.
package struct TextTable {
    /// The alignment of a column.
    package enum Alignment {
        case left
        case right
        /// Left, and cut at the start.
        case path
    }

    private let alignments: [Alignment]
    private let optional: Set<Int>
    private let limit: Int?
    private let ellipsis: String
    private var widths: [Int]
    /// The columns that are left out.
    package private(set) var omitted: Set<Int> = []

    /// The width below which no text is cut.
    private static let narrowest = 8
    private static let gap = 2

    /// Makes an empty table.
    ///
    /// - Parameters:
    ///   - alignments: The alignment of each column; only texts, which are not aligned right, may be cut.
    ///   - optional: The columns that may be left out, the last one first.
    ///   - limit: The width to fit; nil for any.
    ///   - ellipsis: What stands in place of text that is cut; nil for what the terminal can show.
    package init(
        _ alignments: [Alignment], optional: Set<Int> = [], fitting limit: Int? = Console.outputColumns,
        ellipsis: String? = nil
    ) {
        self.alignments = alignments
        self.optional = optional
        self.limit = limit
        self.ellipsis = ellipsis ?? (Console.outputStyle.isUnicode ? "\u{2026}" : "...")
        widths = alignments.map { _ in 0 }
    }

    /// The number of columns.
    var columnCount: Int { alignments.count }

    /// Returns rows as lines; empty columns take no space.
    package mutating func lines(_ rows: [[TerminalText]]) -> [TerminalText] {
        for row in rows {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.text.count) }
        }
        fit()
        return rows.map { row in
            var cells: [TerminalText] = []
            for (column, whole) in row.enumerated() where isShown(column) {
                let cell = cut(whole, to: widths[column], alignments[column])
                let space: TerminalText = "\(String(repeating: " ", count: widths[column] - cell.text.count))"
                let isLast = row.indices.dropFirst(column + 1).allSatisfy { !isShown($0) || row[$0].isEmpty }
                if isLast, cell.isEmpty { continue }
                cells.append(alignments[column] == .right ? space + cell : isLast ? cell : cell + space)
            }
            return .joined(cells, separator: "  ")
        }
    }

    private func isShown(_ column: Int) -> Bool { widths[column] > 0 && !omitted.contains(column) }

    private func cut(_ cell: TerminalText, to width: Int, _ alignment: Alignment) -> TerminalText {
        guard cell.text.count > width else { return cell }
        let length = max(0, width - ellipsis.count)
        if alignment == .path { return "\(ellipsis + String(cell.text.suffix(length)))" }
        return "\(String(cell.text.prefix(length)) + ellipsis)"
    }

    /// The width of all columns with the gaps between them.
    private var width: Int {
        let shown = widths.indices.filter(isShown)
        return shown.total { widths[$0] } + Self.gap * max(0, shown.count - 1)
    }

    /// Leaves out columns and narrows others until the table fits, or cannot be made to.
    private mutating func fit() {
        guard let limit else { return }
        for column in optional.sorted(by: >) where width > limit && isShown(column) { omitted.insert(column) }
        while width > limit {
            // The first column says what the row is about; the end of a path does so as well.
            let texts = widths.indices.filter {
                isShown($0) && (alignments[$0] == .path || $0 > 0 && alignments[$0] == .left)
            }
            guard let widest = texts.max(by: { (widths[$0], $0) < (widths[$1], $1) }),
                widths[widest] > Self.narrowest
            else { return }
            // The widest is cut first, but not more than the next widest.
            let next = texts.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
            let target = max(Self.narrowest, min(next, widths[widest] - 1), widths[widest] - (width - limit))
            widths[widest] = target
        }
    }
}
