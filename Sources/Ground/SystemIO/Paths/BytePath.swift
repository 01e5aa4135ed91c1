import ByteText

/// A path, or the name of a file, an entry or a member of a zip, as the bytes that the file system stores.
///
/// Two paths are equal if their bytes are. Swift strings are equal if Unicode considers them equivalent, such as a
/// precomposed `é` and an `e` with a combining accent; they consist of characters, so that a slash followed by a
/// combining mark is not a slash; and they cannot represent every name that a file can have. No function of this
/// package accepts a string as a path.
///
/// A literal can be a path, with other paths and texts interpolated:
///
/// ```swift
/// let part: BytePath = "\(folder)/\(name).part"
/// ```
public struct BytePath: Sendable, Hashable, Comparable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Creates a path from its bytes.
    public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Creates a path from the UTF-8 of a text.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether both have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.bytes.count == right.bytes.count && left.bytes.span.matches(at: 0, right.bytes)
    }

    /// Feeds a hash of the bytes to a hasher: an archive has thousands of paths.
    public func hash(into hasher: inout Hasher) { hasher.combine(LookupHash.hash(bytes.span)) }

    /// Orders paths by their bytes.
    public static func < (left: Self, right: Self) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// The path as text; nil if its bytes are not UTF-8.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The path as a C string, which ends at the first NUL.
    public var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    /// Whether the path has no bytes.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Number of bytes.
    public var count: Int { bytes.count }

    /// Returns the bytes of both, one after the other.
    public static func + (left: Self, right: Self) -> Self { Self(bytes: left.bytes + right.bytes) }

    /// Whether the bytes start with those of `prefix`.
    public func hasPrefix(_ prefix: Self) -> Bool { has(prefix, at: 0) }

    /// Whether the bytes end with those of `suffix`.
    public func hasSuffix(_ suffix: Self) -> Bool { has(suffix, at: count - suffix.count) }

    /// Whether the bytes at an offset are those of `part`; false if not all of them are inside the path.
    public func has(_ part: Self, at offset: Int) -> Bool {
        bytes.span.matches(at: offset, part.bytes)
    }

    /// Returns what follows `prefix`; nil if the path does not start with it.
    public func dropping(prefix: Self) -> Self? {
        hasPrefix(prefix) ? Self(bytes: bytes.dropFirst(prefix.count)) : nil
    }

    /// Returns what precedes `suffix`; nil if the path does not end with it.
    public func dropping(suffix: Self) -> Self? {
        hasSuffix(suffix) ? Self(bytes: bytes.dropLast(suffix.count)) : nil
    }

    /// The path with `A` to `Z` in lower case: enough to recognise a suffix such as `.XML`.
    public var asciiLowercased: Self {
        Self(bytes: bytes.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 })
    }
}

extension BytePath: CustomStringConvertible {
    /// The path for display: characters that could control a terminal are escaped, and a byte that is not UTF-8 is
    /// shown as `\xff`.
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
    /// Creates a path from a literal.
    public init(stringLiteral text: String) { self.init(text) }

    /// Creates a path from an interpolated literal.
    public init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

    /// Collects the bytes of the parts.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var bytes: [UInt8] = []

        /// Reserves capacity.
        public init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        /// Adds a literal part.
        public mutating func appendLiteral(_ literal: String) { bytes += Array(literal.utf8) }
        /// Adds the bytes of another path.
        public mutating func appendInterpolation(_ path: BytePath) { bytes += path.bytes }
        /// Adds a text in UTF-8.
        public mutating func appendInterpolation(_ text: String) { bytes += Array(text.utf8) }
        /// Adds a number in decimal.
        public mutating func appendInterpolation(_ number: Int) { bytes += Array(String(number).utf8) }
    }
}
