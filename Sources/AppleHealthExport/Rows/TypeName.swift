import JSONText

enum TypeName: Sendable {
    /// The text inside a JSON string.
    static func unescaped(_ inside: String) -> String {
        var reader = JSONReader(Array("\"\(inside)\"".utf8))
        return (try? reader.string()) ?? inside
    }
}
