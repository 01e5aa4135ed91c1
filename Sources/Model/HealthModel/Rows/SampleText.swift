import JSONText

/// Decoding of texts in rows.
enum SampleText: Sendable {
    /// Returns the text of a JSON token; invalid UTF-8 becomes a replacement character.
    static func text(ofToken token: [UInt8]) -> String {
        String(decoding: JSONEscaping.text(ofToken: token), as: UTF8.self)
    }
}
