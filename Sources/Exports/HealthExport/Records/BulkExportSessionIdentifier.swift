/// The name that identifies a session across processes.
///
/// ```swift
/// extension BulkExportSessionIdentifier {
///     static let upload = Self("my-upload")
/// }
/// ```
public struct BulkExportSessionIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// Creates a name; see ``isUsable``.
    public init(_ text: String) { self.text = text }

    /// The name itself.
    public var description: String { text }

    /// Whether the name is a valid file name on every file system and cannot be mistaken for a command's option.
    ///
    /// It must have 1 to 100 ASCII letters, digits, dots, hyphens and underscores, and must not start with a dot or
    /// hyphen.
    public var isUsable: Bool {
        let bytes = text.utf8
        guard (1...100).contains(bytes.count), let first = bytes.first else { return false }
        func isLetterOrDigit(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }
        return (isLetterOrDigit(first) || first == UInt8(ascii: "_"))
            && bytes.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }
}
