/// Rows as comma-separated values (RFC 4180).
package enum CSVText {
    /// Returns a row as a line, without its line end.
    package static func line(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") }

    private static func quoted(_ field: String) -> String {
        let isPlain = field.utf8.allSatisfy { byte in
            byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"") && byte != 10 && byte != 13
        }
        if isPlain { return field }
        var text = "\""
        for character in field.unicodeScalars {
            if character == "\"" { text += "\"" }
            text.unicodeScalars.append(character)
        }
        return text + "\""
    }
}
