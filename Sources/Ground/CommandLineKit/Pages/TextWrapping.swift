/// Returns the lines of a text, wrapped to a width.
///
/// Blank lines separate paragraphs, whose lines are rewrapped; a line that begins with a space is unchanged.
func paragraphLines(of text: String, width: Int) -> [String] {
    var lines: [String] = []
    var words: [String] = []
    func endParagraph() {
        lines += wrap(words, width: width)
        words = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let lineWords = line.split(separator: " ").map(String.init)
        if line.hasPrefix(" ") || lineWords.isEmpty {
            endParagraph()
            lines.append(lineWords.isEmpty ? "" : String(line))
        } else {
            words += lineWords
        }
    }
    endParagraph()
    while lines.last == "" { lines.removeLast() }
    return lines
}

/// Fills lines with pieces, separated by spaces; a piece that is wider than a line gets its own line.
package func wrap(_ pieces: [String], width: Int, laterWidth: Int? = nil) -> [String] {
    var lines: [String] = []
    var line = ""
    for piece in pieces {
        let room = lines.isEmpty ? width : laterWidth ?? width
        if line.isEmpty {
            line = piece
        } else if line.count + 1 + piece.count <= room {
            line += " " + piece
        } else {
            lines.append(line)
            line = piece
        }
    }
    return line.isEmpty ? lines : lines + [line]
}
