// The text of a field in a file of comma-separated values (RFC 4180, section 2).
extension Substring.UnicodeScalarView {
    /// The text without white space at its ends, including non-breaking spaces.
    var trimmed: Self {
        let start = drop { $0.properties.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return start }
        return start[...last]
    }

    /// The trimmed text without the quotes around it; a doubled quote inside stands for one.
    var unquoted: Self {
        let field = trimmed
        guard field.first == "\"", field.last == "\"", field.count >= 2 else { return field }
        var text = String.UnicodeScalarView()
        var isDoubled = false
        for scalar in field.dropFirst().dropLast() {
            isDoubled = scalar == "\"" && !isDoubled
            if !isDoubled { text.append(scalar) }
        }
        return Substring(String(text)).unicodeScalars.trimmed
    }
}
