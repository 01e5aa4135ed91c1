/// Text on its way to a terminal.
///
/// What stands in the program goes out as it is; whatever is put into it goes through one filter. So a name in a file, a
/// zip or an archive cannot steer a terminal, nor make a line of its own:
///
/// ```swift
/// Console.note("\(path): not an encrypted archive")
/// ```
public struct TerminalText: Sendable, Equatable {
    /// The text as the terminal gets it.
    public let text: String

    private init(printable text: String) { self.text = text }

    /// A text of which nothing stands in the program.
    public init(escaping text: String) { self.text = PrintableText.escaped(text) }

    /// Both, one behind the other.
    public static func + (left: Self, right: Self) -> Self { Self(printable: left.text + right.text) }

    /// Adds a text.
    public static func += (left: inout Self, right: Self) { left = left + right }

    /// There is nothing in it.
    public var isEmpty: Bool { text.isEmpty }

    /// A text of several lines as these.
    public static func lines(_ lines: some Sequence<Self>) -> Self { joined(lines, separator: "\n") }

    /// Texts with a separator between each two.
    public static func joined(_ texts: some Sequence<Self>, separator: Self) -> Self {
        Self(printable: texts.map(\.text).joined(separator: separator.text))
    }
}

extension TerminalText: ExpressibleByStringInterpolation {
    /// A text that stands in the program.
    public init(stringLiteral text: String) { self.text = text }

    /// A text with others put into it.
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Puts the parts together, and filters those that do not stand in the program.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""

        /// Makes room.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Adds what stands in the program.
        public mutating func appendLiteral(_ literal: String) { text += literal }
        /// Adds a text that was filtered already.
        public mutating func appendInterpolation(_ other: TerminalText) { text += other.text }
        /// Adds anything else, filtered.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += PrintableText.escaped(value.description)
        }
    }
}
