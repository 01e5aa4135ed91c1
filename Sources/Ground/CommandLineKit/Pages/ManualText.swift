/// Text in the language of manual pages, mdoc(7), line by line.
struct ManualText {
    private(set) var lines: [String] = []

    /// The widest line, so that the source of a page can be read as well.
    private static let width = 78

    /// Adds a macro with its arguments as they are.
    mutating func add(_ macro: String, _ arguments: [String] = []) {
        lines.append(([".\(macro)"] + arguments).joined(separator: " "))
    }

    /// Adds paragraphs as help has them: blank lines separate them, lines that begin with a space stay unchanged.
    mutating func add(text: String) {
        var words: [String] = []
        var literal: [String] = []
        var isFirst = true
        func isBreak(_ line: Substring) -> Bool { line.allSatisfy { $0 == " " } }
        let textLines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in textLines {
            if isBreak(line) || line.hasPrefix(" ") { add(words: &words, &isFirst) }
            if isBreak(line) || !line.hasPrefix(" ") { add(literal: &literal) }
            if isBreak(line) { continue }
            if line.hasPrefix(" ") {
                literal.append(String(line))
                isFirst = false
            } else {
                words += line.split(separator: " ").map(String.init)
            }
        }
        add(words: &words, &isFirst)
        add(literal: &literal)
    }

    /// Adds lines that stay as they are.
    mutating func add(literal: inout [String]) {
        guard !literal.isEmpty else { return }
        let indent = literal.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        add("Bd", ["-literal", "-offset", "indent"])
        lines += literal.map { Self.line(Self.escaped(String($0.dropFirst(indent)), isLiteral: true)) }
        add("Ed")
        literal = []
    }

    private mutating func add(words: inout [String], _ isFirst: inout Bool) {
        guard !words.isEmpty else { return }
        if !isFirst { add("Pp") }
        isFirst = false
        var line = ""
        for word in words {
            let piece = Self.escaped(word)
            if line.isEmpty {
                line = piece
            } else if Self.endsSentence(line) || line.utf8.count + 1 + piece.utf8.count > Self.width {
                lines.append(Self.line(line))
                line = piece
            } else {
                line += " " + piece
            }
        }
        lines.append(Self.line(line))
        words = []
    }

    /// Returns an argument of a macro, in quotes if it has spaces.
    static func argument(_ text: String) -> String {
        let escaped = escaped(text, isLiteral: true)
        return escaped.contains(" ") || escaped.isEmpty ? "\"\(escaped)\"" : escaped
    }

    /// Returns text without characters that mean something else in a page: dashes of options stay dashes.
    private static func escaped(_ text: String, isLiteral: Bool = false) -> String {
        var result = ""
        var isStart = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            case "-" where isStart || isLiteral: result += "\\-"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default: result += "\\[u\(hexadecimal(scalar))]"
            }
            if scalar != "-" && scalar != "'" { isStart = false }
        }
        return result
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Returns a line that is no macro, whatever it begins with.
    private static func line(_ text: String) -> String { text.hasPrefix(".") ? "\\&\(text)" : text }

    /// Returns whether the next word must begin a line, by which formatters tell the ends of sentences.
    private static func endsSentence(_ line: String) -> Bool {
        [".", "?", "!", ".)"].contains { line.hasSuffix($0) }
    }
}
