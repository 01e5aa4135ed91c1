import ByteText
import Synchronization
package import SystemIO
import Tables

/// The answers of several sources to a question, printed as one.
///
/// Text and CSV are one table with a first column, the path of each source as it was given; JSON is one document with an
/// object for each, and samples have a member.
package final class CombinedAnswer: Sendable {
    /// The answer of a source, as a part of the whole.
    package struct Part: Sendable {
        let whole: CombinedAnswer
        let archive: BytePath

        package init(whole: CombinedAnswer, archive: BytePath) {
            self.whole = whole
            self.archive = archive
        }
    }

    private struct Content {
        /// The number of tables so far.
        var count = 0
        /// The title of CSV that was printed last.
        var title: [UInt8] = []
        /// The rows of text that were not printed.
        var rows: TextRows?
        var footnotes: [TerminalText] = []
        var notes: [(archive: BytePath, text: TerminalText)] = []
        var warnings: [TerminalText] = []
    }

    private let content = Mutex(Content())

    package init() {}

    /// Prints what stands before the object of a source in JSON.
    func beginObject() throws(SystemError) {
        let count = content.withLock { content in
            content.count += 1
            return content.count
        }
        try Console.print(Array((count == 1 ? "{\"archives\":[" : ",").utf8))
    }

    /// Returns whether the lines of CSV that follow need this title.
    func needsTitle(_ title: [UInt8]) -> Bool {
        content.withLock { content in
            defer { content.title = title }
            return content.title != title
        }
    }

    /// Returns the text of a table, which continues that of the sources before if both have the same titles.
    func text<Row>(of table: Table<Row>) throws(SystemError) -> TableText<Row> {
        let text = TableText(table)
        guard var former = content.withLock({ $0.rows }) else { return text }
        if former.hasTitles(of: text.rows) { return TableText(table, continuing: former) }
        try Console.print(.lines(former.lines()))
        if let omission = former.omission {
            content.withLock { if !$0.footnotes.contains(omission) { $0.footnotes.append(omission) } }
        }
        return text
    }

    /// Keeps rows of text until the widths of all are known, or until they are enough.
    func keep(_ rows: TextRows) { content.withLock { $0.rows = rows } }

    /// Keeps what text has below the rows of a source.
    func keep(footnote: TerminalText?, notes: [TerminalText], warnings: [TerminalText], of archive: BytePath)
    {
        content.withLock { content in
            content.count += 1
            if let footnote, !content.footnotes.contains(footnote) { content.footnotes.append(footnote) }
            content.notes += notes.map { (archive, $0) }
            content.warnings += warnings.map { "warning: \(archive): \($0)" }
        }
    }

    /// Prints what is left.
    package func finish(json: Bool) throws(SystemError) {
        var content = content.withLock { $0 }
        if json {
            if content.count > 0 { try Console.print(Array("]}\n".utf8)) }
            return
        }
        let rows = content.rows?.lines() ?? []
        var lines = [content.rows?.omission].compactMap(\.self) + content.footnotes
        let shared = content.notes.map(\.text).filter { text in
            content.notes.count { $0.text == text } == content.count
        }
        lines += content.notes.filter { !shared.contains($0.text) }.map { "\($0.archive): \($0.text)" }
        // All of them are among the first source's.
        lines += shared.prefix(shared.count / max(1, content.count))
        lines += content.warnings
        let text = rows + lines.flatMap { Console.wrapped($0) }
        if !text.isEmpty { try Console.print(.lines(text)) }
    }
}
