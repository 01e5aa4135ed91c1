import ByteText
import Tables

extension JSONWriter {
    /// Writes a number, or null if there is none.
    mutating func number(_ value: Double?) {
        NumberText.write(value.map { $0.magnitude < 1e9 ? $0.rounded(toPlaces: 4) : $0 }, to: &self)
    }

    /// Writes a text, or null if there is none.
    mutating func optional(_ text: String?) {
        if let text { string(text) } else { null() }
    }
}
