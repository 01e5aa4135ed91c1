/// The name by which a session is found again, also by the next process.
///
/// ```swift
/// extension BulkExportSessionIdentifier {
///     static let upload = Self("my-upload")
/// }
/// ```
public struct BulkExportSessionIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// A name; see ``isUsable``.
    public init(_ text: String) { self.text = text }

    /// The name itself.
    public var description: String { text }

    /// 1 to 100 letters, digits, dots, hyphens and underscores of ASCII, the first one no dot and no hyphen, so that
    /// the name is one of a file on every file system and no option of a command.
    public var isUsable: Bool {
        let bytes = text.utf8
        guard (1...100).contains(bytes.count), let first = bytes.first else { return false }
        func isLetterOrDigit(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }
        return (isLetterOrDigit(first) || first == UInt8(ascii: "_"))
            && bytes.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }
}
