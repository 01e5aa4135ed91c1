/// How a file is split into volumes as it is written.
public struct VolumeRule: Sendable, Equatable {
    /// The bytes in each volume but the last; nil for a file in one piece.
    public var size: Int?
    /// Whether the first volume has a number even if there is no other.
    public var isNumbered: Bool

    /// The smallest size of a volume in bytes.
    public static let smallest = 1 << 16

    /// Creates a rule for volumes of a size chosen by the user.
    public init(size: Int) {
        self.size = max(Self.smallest, size)
        isNumbered = true
    }

    /// Creates the rule for a folder: its file system may limit the size of a file.
    ///
    /// - Parameter folder: The folder.
    public init(for folder: OpenFolder) {
        isNumbered = false
        guard let limit = Self.largestFile(in: folder) else { return }
        // A round number, so that volumes have whole sectors.
        size = limit / Self.unit * Self.unit
    }

    private static let unit = 1 << 20

    private static func largestFile(in folder: OpenFolder) -> Int? {
        switch folder.filesystem {
        case .fat: return FilesystemIdentity(type: "vfat").largestFile
        case .exfat, .other: return nil
        case .program:
            guard let path = try? Folder.canonical(folder.path), let mounts = try? Mount.all(),
                let mount = Mount.holding(path, among: mounts)
            else { return nil }
            return FilesystemIdentity(of: mount).largestFile
        }
    }
}
