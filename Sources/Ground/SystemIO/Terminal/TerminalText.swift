/// Text that is safe to write to a terminal.
///
/// Literals are written unchanged; interpolated values are escaped. A name in a file, a zip or an archive can
/// therefore neither control a terminal nor start a new line:
///
/// ```swift
/// Console.log("\(path): not an encrypted archive")
/// ```
public struct TerminalText: Sendable, Equatable {
    /// The text as the terminal receives it.
    public let text: String

    private init(printable text: String) { self.text = text }

    /// Creates a text from a string of any origin, escaping it.
    public init(escaping text: String) { self.text = PrintableText.escaped(text) }

    /// Returns both, one after the other.
    public static func + (left: Self, right: Self) -> Self { Self(printable: left.text + right.text) }

    /// Adds a text.
    public static func += (left: inout Self, right: Self) { left = left + right }

    /// Whether the text is empty.
    public var isEmpty: Bool { text.isEmpty }

    /// Joins texts as lines.
    public static func lines(_ lines: some Sequence<Self>) -> Self { joined(lines, separator: "\n") }

    /// Joins texts with a separator between each two.
    public static func joined(_ texts: some Sequence<Self>, separator: Self) -> Self {
        Self(printable: texts.map(\.text).joined(separator: separator.text))
    }
}

extension TerminalText: ExpressibleByStringInterpolation {
    /// Creates a text from a literal.
    public init(stringLiteral text: String) { self.text = text }

    /// Creates a text from an interpolated literal.
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Joins the parts, escaping those that are not literals.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""

        /// Reserves capacity.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Adds a literal part.
        public mutating func appendLiteral(_ literal: String) { text += literal }
        /// Adds a text that is already escaped.
        public mutating func appendInterpolation(_ other: TerminalText) { text += other.text }
        /// Adds anything else, escaped.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += PrintableText.escaped(value.description)
        }
    }
}

extension String.StringInterpolation {
    /// Prevents that a text becomes part of a string, which would show its Swift structure: use ``TerminalText/text``.
    @available(*, deprecated, message: "interpolate into a TerminalText, or use 'text'")
    public mutating func appendInterpolation(_ text: TerminalText) { appendLiteral(text.text) }
}
