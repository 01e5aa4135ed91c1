public import SystemIO

/// A folder on a drive to which exports are written, whether the drive is connected or not.
public struct Destination: Sendable, Equatable {
    /// The name given by its owner.
    public var name: String
    /// The folder, absolute and without links, at the time when the destination was added.
    public var path: BytePath
    /// The mount point of its file system at that time.
    public var mountPoint: BytePath
    /// The identity of its file system.
    public var filesystem: FilesystemIdentity
    /// The text of the file that marks the folder: 32 hexadecimal digits.
    public var marker: String
    /// The time when it was added, in seconds since 1970.
    public var added: Int

    /// Returns whether a text can be the name of a destination: up to 64 letters, digits, `.`, `_` and `-`, not
    /// starting with one of the last three.
    public static func isName(_ text: String) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }
        let bytes = Array(text.utf8)
        guard let first = bytes.first, isPlain(first), bytes.count <= 64 else { return false }
        return bytes.allSatisfy { isPlain($0) || [0x2e, 0x5f, 0x2d].contains($0) }
    }

    /// The folder's path in its file system.
    var pathOnDrive: BytePath { BytePath.joined(path.parts.dropFirst(mountPoint.parts.count)) }
}

extension Destination: FileRecord {
    package static let blank = Destination(
        name: "", path: "", mountPoint: "", filesystem: FilesystemIdentity(), marker: "", added: 0)

    package static let fields: RecordFields<Destination> = [
        .version("destination"), .field(\.name, "name", .text.when(isName)),
        .field(\.path, "path", .absolutePath), .field(\.mountPoint, "mountPoint", .absolutePath),
        .field(\.filesystem.uuid, "uuid", .text), .field(\.filesystem.label, "label", .text),
        .field(\.filesystem.type, "type", .text), .field(\.marker, "marker", .text),
        .field(\.added, "added", .time),
    ]
}
