public import SystemIO

/// A folder on a drive that exports are written to, whether the drive is there or not.
public struct Destination: Sendable, Equatable {
    /// The name that its owner gave it.
    public var name: String
    /// The folder, absolute and without links, as it was when the destination was added.
    public var path: BytePath
    /// The folder in which its file system was mounted then.
    public var mountPoint: BytePath
    /// What distinguishes its file system from others.
    public var filesystem: FilesystemIdentity
    /// The text of the file that marks the folder: 32 hexadecimal digits.
    public var marker: String
    /// The time when it was added, in seconds since 1970.
    public var added: Int

    /// Makes a destination.
    public init(
        name: String, path: BytePath, mountPoint: BytePath, filesystem: FilesystemIdentity, marker: String,
        added: Int
    ) {
        self.name = name
        self.path = path
        self.mountPoint = mountPoint
        self.filesystem = filesystem
        self.marker = marker
        self.added = added
    }

    /// Whether a text can be the name of a destination: up to 64 letters and digits, and `.`, `_` and `-` between them.
    public static func isName(_ text: String) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }
        let bytes = Array(text.utf8)
        guard let first = bytes.first, isPlain(first), bytes.count <= 64 else { return false }
        return bytes.allSatisfy { isPlain($0) || [0x2e, 0x5f, 0x2d].contains($0) }
    }

    /// The folder's path in its file system.
    var pathOnDrive: BytePath { BytePath.joined(path.parts.dropFirst(mountPoint.parts.count)) }
}
