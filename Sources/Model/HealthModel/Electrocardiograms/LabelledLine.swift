/// A line of a header: a label, a comma and a value.
struct LabelledLine: Sendable {
    /// The field that the label names; nil if the label is unknown.
    let field: ElectrocardiogramField?
    /// The value; empty if there is no comma.
    let value: String
    /// The number of the line in the file.
    let number: Int

    /// Splits a line at its first comma, because a value with a decimal comma may be unquoted.
    init(_ line: Substring.UnicodeScalarView, number: Int) {
        let comma = Self.comma(in: line.trimmed) ?? line.endIndex
        field = ElectrocardiogramField(label: String(line[..<comma].unquoted))
        value = String(line[comma...].dropFirst().unquoted)
        self.number = number
    }

    /// Returns the first comma outside the quotes around the label.
    private static func comma(in line: Substring.UnicodeScalarView) -> String.Index? {
        var isInQuotes = false
        let hasQuotes = line.first == "\""
        return line.indices.first { index in
            if hasQuotes, line[index] == "\"" { isInQuotes.toggle() }
            return line[index] == "," && !isInQuotes
        }
    }
}
