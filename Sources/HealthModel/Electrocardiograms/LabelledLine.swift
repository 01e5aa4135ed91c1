/// A line of a header: a label, a comma and a value.
struct LabelledLine: Sendable {
    /// What the label says that the line is about; nil if it is not known.
    let field: ElectrocardiogramField?
    /// The value; empty if there is no comma.
    let value: String
    /// The number of the line in the file.
    let number: Int

    /// Splits a line at its first comma, because the decimal comma of a value need not be in quotes.
    init(_ line: Substring.UnicodeScalarView, number: Int) {
        let comma = Self.comma(in: line.trimmed) ?? line.endIndex
        field = ElectrocardiogramField(label: String(line[..<comma].unquoted))
        value = String(line[comma...].dropFirst().unquoted)
        self.number = number
    }

    /// The first comma outside of the quotes around the label.
    private static func comma(in line: Substring.UnicodeScalarView) -> String.Index? {
        var isInQuotes = false
        let hasQuotes = line.first == "\""
        return line.indices.first { index in
            if hasQuotes, line[index] == "\"" { isInQuotes.toggle() }
            return line[index] == "," && !isInQuotes
        }
    }
}
