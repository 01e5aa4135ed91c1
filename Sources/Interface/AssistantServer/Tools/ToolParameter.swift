import ByteText

/// A parameter of a tool.
struct ToolParameter: Sendable {
    /// The kinds of values.
    enum Kind: Sendable {
        case text
        case choice([String])
        case integer(ClosedRange<Int>)
        /// A list of so many texts.
        case texts(ClosedRange<Int>)
        /// A list of some of these texts.
        case choices([String])
    }

    let name: String
    let kind: Kind
    let description: String
    var isRequired = false

    /// Writes the schema of the value.
    func write(_ writer: inout JSONWriter) {
        writer.key(name)
        writer.object { writer in
            switch kind {
            case .text: writer.member("type", "string")
            case .choice(let values):
                writer.member("type", "string")
                writer.member("enum", values)
            case .integer(let range):
                writer.member("type", "integer")
                writer.member("minimum", range.lowerBound)
                writer.member("maximum", range.upperBound)
            case .texts(let count):
                writer.member("type", "array")
                writer.key("items")
                writer.object { $0.member("type", "string") }
                writer.member("minItems", count.lowerBound)
                writer.member("maxItems", count.upperBound)
            case .choices(let values):
                writer.member("type", "array")
                writer.key("items")
                writer.object { writer in
                    writer.member("type", "string")
                    writer.member("enum", values)
                }
            }
            writer.member("description", description)
        }
    }

    /// The place of a page.
    static let cursor = ToolParameter(
        name: "cursor", kind: .text, description: "'nextCursor' of the page before.")
    /// The first moment of a time range.
    static let from = ToolParameter(
        name: "from", kind: .text,
        description: "First day or time, such as 2024-05-01, 2024-05, 2024 or yesterday; inclusive.")
    /// The last moment of a time range.
    static let to = ToolParameter(
        name: "to", kind: .text, description: "Last day or time, in the same forms; inclusive.")
    /// A time range that ends with the export.
    static let last = ToolParameter(
        name: "last", kind: .text,
        description:
            "In place of from and to: the days, weeks, months or years before the export, such as 30d, 4w, 6m or 2y."
    )
}
