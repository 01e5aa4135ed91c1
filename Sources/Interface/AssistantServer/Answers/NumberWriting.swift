import CommandOutput
import JSONText

extension JSONWriter {
    /// Writes a number, or null if there is none.
    mutating func number(_ value: Double?) {
        guard let value else {
            null()
            return
        }
        NumberText.write(value.magnitude < 1e9 ? value.rounded(toPlaces: 4) : value, to: &self)
    }

    /// Writes a text, or null if there is none.
    mutating func optional(_ text: String?) {
        if let text { string(text) } else { null() }
    }
}
