/// A path, or the name of a file, an entry or a member of a zip: bytes, as the file system has them.
///
/// Two paths are the same when their bytes are. Swift's strings are equal when Unicode says so, `é` in one piece and `é`
/// as a letter with an accent; they fall into characters, so that a slash with a combining mark behind it is no slash; and
/// they cannot hold every name that a file can have. No function of this package takes a string for a path.
///
/// A literal makes a path, and so does one with paths and texts in it:
///
/// ```swift
/// let part: BytePath = "\(folder)/\(name).part"
/// ```
public struct BytePath: Sendable, Hashable, Comparable {
    /// The bytes.
    public let bytes: [UInt8]

    /// A path of these bytes.
    public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The path that a text names in UTF-8.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// In the order of the bytes.
    public static func < (left: Self, right: Self) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// The path as text; nil where its bytes are no UTF-8.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The path for C, which ends at the first NUL.
    public var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    /// There is not a single byte.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Number of bytes.
    public var count: Int { bytes.count }

    /// The bytes of both, one behind the other.
    public static func + (left: Self, right: Self) -> Self { Self(bytes: left.bytes + right.bytes) }

    /// The bytes start with those of `prefix`.
    public func hasPrefix(_ prefix: Self) -> Bool { bytes.starts(with: prefix.bytes) }

    /// The bytes end with those of `suffix`.
    public func hasSuffix(_ suffix: Self) -> Bool {
        bytes.count >= suffix.count && bytes[(bytes.count - suffix.count)...].elementsEqual(suffix.bytes)
    }

    /// What follows `prefix`; nil where the path does not start with it.
    public func dropping(prefix: Self) -> Self? {
        hasPrefix(prefix) ? Self(bytes: bytes.dropFirst(prefix.count)) : nil
    }

    /// What comes before `suffix`; nil where the path does not end with it.
    public func dropping(suffix: Self) -> Self? {
        hasSuffix(suffix) ? Self(bytes: bytes.dropLast(suffix.count)) : nil
    }

    /// The path with `A` to `Z` in lower case: enough to know an ending such as `.XML`.
    public var asciiLowercased: Self {
        Self(bytes: bytes.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 })
    }
}

extension BytePath: CustomStringConvertible {
    /// The path for people: what could steer a terminal is shown as an escape, a byte that is no UTF-8 as `\xff`.
    public var description: String {
        if let text { return PrintableText.escaped(text) }
        return characters.map { character in
            character.text.map { PrintableText.escaped($0) }
                ?? "\\x" + character.bytes.map(Self.hexadecimal).joined()
        }.joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}

extension BytePath: ExpressibleByStringInterpolation {
    /// A path that is known when the program is written.
    public init(stringLiteral text: String) { self.init(text) }

    /// A path put together from others.
    public init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

    /// Gathers the bytes of the parts.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var bytes: [UInt8] = []

        /// Makes room.
        public init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        /// Adds what stands in the program.
        public mutating func appendLiteral(_ literal: String) { bytes += Array(literal.utf8) }
        /// Adds the bytes of another path.
        public mutating func appendInterpolation(_ path: BytePath) { bytes += path.bytes }
        /// Adds a text in UTF-8.
        public mutating func appendInterpolation(_ text: String) { bytes += Array(text.utf8) }
        /// Adds a number in decimal.
        public mutating func appendInterpolation(_ number: Int) { bytes += Array(String(number).utf8) }
    }
}
