/// The name that identifies a session, also in later processes.
///
/// ```swift
/// extension BulkExportSessionIdentifier {
///     static let upload = Self("my-upload")
/// }
/// ```
public struct BulkExportSessionIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// Makes a name; see ``isUsable``.
    public init(_ text: String) { self.text = text }

    /// The name itself.
    public var description: String { text }

    /// Whether the name has 1 to 100 ASCII letters, digits, dots, hyphens and underscores, and starts with neither a
    /// dot nor a hyphen, so that it is a valid file name on every file system and not an option of a command.
    public var isUsable: Bool {
        let bytes = text.utf8
        guard (1...100).contains(bytes.count), let first = bytes.first else { return false }
        func isLetterOrDigit(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }
        return (isLetterOrDigit(first) || first == UInt8(ascii: "_"))
            && bytes.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }
}
