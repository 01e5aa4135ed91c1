/// A page of help, to be laid out at the width of the reader's terminal.
public struct HelpPage: Equatable, Sendable {
    enum Block: Equatable, Sendable {
        /// How the command is called, and the parts that follow, none of which is broken across two lines.
        case usage(String, [String])
        /// Paragraphs, see `paragraphLines(of:width:)`.
        case text(String)
        /// Terms and what they mean, under a heading.
        case table(String, [Row])
        /// Command lines, each below a comment that explains it.
        case examples([HelpExample])
    }

    struct Row: Equatable, Sendable {
        var term: String
        var meaning: String
    }

    let blocks: [Block]

    /// Returns the page as text that ends in a line end, with lines no wider than `width` unless they cannot be
    /// broken.
    ///
    /// Widths below 40 columns count as 40.
    public func text(width: Int = 80) -> String {
        let layout = HelpLayout(width: max(width, 40), rows: blocks.flatMap(\.rows))
        return blocks.map { layout.lines(of: $0).joined(separator: "\n") }
            .filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }
}

extension HelpPage.Block {
    var rows: [HelpPage.Row] {
        guard case .table(_, let rows) = self else { return [] }
        return rows
    }
}
