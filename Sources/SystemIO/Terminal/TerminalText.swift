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
    public init(escaping text: String) { self.text = Self.printable(text) }

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

    /// The text with every character as an escape that could steer a terminal, hide itself or turn the direction of
    /// writing: `\u{1b}`.
    static func printable(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isPrintable(scalar) {
                result.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
            }
        }
        return String(result)
    }

    /// The same for a path, of which the bytes that are no UTF-8 are shown as `\xff`.
    static func printable(_ path: BytePath) -> String {
        if let text = path.text { return printable(text) }
        return path.characters.map { character in
            character.text.map { printable($0) } ?? "\\x" + character.bytes.map(hexadecimal).joined()
        }.joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// What may go to a terminal as it is.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if joining.contains(scalar.value) { return true }
        // What takes no room, and the pattern without a dot, let two names look like one.
        if scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}" { return false }
        return switch scalar.properties.generalCategory {
        // C0, DEL and C1; line and paragraph separators.
        case .control, .lineSeparator, .paragraphSeparator: false
        // Arabic number signs are letters to the eye; bidi controls are not.
        case .format: numberSigns.contains(scalar.value)
        default: true
        }
    }

    /// Joiners and the selectors of text and emoji, which make one picture of several characters.
    private static let joining: Set<UInt32> = [0x200c, 0x200d, 0xfe0e, 0xfe0f]

    /// The characters of the category Cf that can be seen.
    private static let numberSigns: Set<UInt32> = Set(0x600...0x605).union([
        0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd,
    ])
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
            text += TerminalText.printable(value.description)
        }
    }
}
