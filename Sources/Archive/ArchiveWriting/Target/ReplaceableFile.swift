import SystemIO

/// The kinds of files that can be replaced on request, because this program made them.
package enum ReplaceableFile: Sendable {
    /// A JSON document.
    case json
    /// A SQLite database.
    case database
    /// A zip.
    case zip
    /// A text that begins with these bytes, such as a drawing.
    case text([UInt8])
    /// A file that cannot be distinguished from those of other programs.
    case none

    /// The start of our JSON documents.
    package static let documentStart = Array("{\"healthData\":{".utf8)
    /// The application identifier in the header of our databases.
    package static let applicationIdentifier: UInt32 = 0x6876_6c74
    /// The comment at the end of our zips.
    package static let zipComment = Array("healthvault".utf8)

    /// Returns whether a file was made by this program, or is empty.
    func matches(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
        let size = try file.status().size
        if size == 0 { return true }
        switch self {
        case .json:
            return try file.bytes(at: 0, count: Self.documentStart.count) == Self.documentStart
        case .database:
            let identifier = (0..<4).reversed().map {
                UInt8(truncatingIfNeeded: Self.applicationIdentifier >> ($0 * 8))
            }
            return try file.bytes(at: 68, count: 4) == identifier
        case .zip:
            let comment = Self.zipComment
            return try file.bytes(at: max(0, size - comment.count), count: comment.count) == comment
        case .text(let start): return try file.bytes(at: 0, count: start.count) == start
        case .none: return false
        }
    }
}
