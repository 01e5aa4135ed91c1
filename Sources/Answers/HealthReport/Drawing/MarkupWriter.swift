/// A writer of XML and HTML in which no text can become markup.
///
/// Names of elements and attributes are literals of this module; everything else is escaped.
public struct MarkupWriter: Sendable {
    /// The markup so far, in UTF-8.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty writer.
    public init() {}

    /// The markup so far.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes an element with attributes and content.
    public mutating func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
        _ content: (inout MarkupWriter) -> Void
    ) {
        start(name, attributes)
        append(">")
        content(&self)
        append("</")
        append(name)
        append(">")
    }

    /// Writes an element with a text.
    public mutating func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], text: String
    ) {
        element(name, attributes) { $0.write(text) }
    }

    /// Writes an element of SVG without content.
    public mutating func shape(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>) {
        start(name, attributes)
        append("/>")
    }

    /// Writes a start tag of an element of HTML that has no end tag, such as `meta`.
    public mutating func void(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>) {
        start(name, attributes)
        append(">")
    }

    private mutating func start(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>
    ) {
        append("<")
        append(name)
        for (key, value) in attributes where !value.isEmpty || Self.mayBeEmpty(key) {
            append(" ")
            append(key)
            append("=\"")
            write(value)
            append("\"")
        }
    }

    /// An empty attribute means that it is left out, except where it states something.
    private static func mayBeEmpty(_ key: StaticString) -> Bool { "\(key)" == "alt" }

    /// Writes markup that is part of the program, such as a style sheet.
    public mutating func literal(_ markup: StaticString) { append(markup) }

    /// Writes a text, escaped; characters that XML does not allow become a replacement character.
    public mutating func write(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\"": append("&quot;")
            case "'": append("&#39;")
            case "\t", "\n": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            default: append(scalar: Self.isWritable(scalar) ? scalar : "\u{fffd}")
            }
        }
    }

    /// Controls are not allowed in XML; marks that change the direction could make a name look like another one.
    private static func isWritable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x202a...0x202e, 0x2066...0x2069, 0xfffe, 0xffff: false
        default: true
        }
    }

    private mutating func append(scalar: Unicode.Scalar) {
        if scalar.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else if let encoded = UTF8.encode(scalar) {
            bytes += encoded
        }
    }

    private mutating func append(_ text: StaticString) { bytes += text.description.utf8 }
}
