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

/// The names of the files that one large file was split into: `health.hvault.001`, `health.hvault.002` and so on.
public enum VolumeName: Sendable {
    /// The most volumes of a file.
    public static let most = 999

    /// Returns the path of a volume.
    ///
    /// - Parameters:
    ///   - number: 1 for the first volume, and so on.
    ///   - path: The path that the file would have in one piece.
    public static func volume(_ number: Int, of path: BytePath) -> BytePath {
        let digits = String(number)
        return "\(path).\(String(repeating: "0", count: max(0, 3 - digits.utf8.count)))\(digits)"
    }

    /// Returns the path without the number of a first volume; nil for the path of anything else.
    public static func whole(ofFirst path: BytePath) -> BytePath? { path.dropping(suffix: ".001") }

    /// Returns the path at which a file starts: its own or, if only that exists, its first volume's.
    ///
    /// - Throws: `SystemError` if the system refuses.
    public static func start(of path: BytePath) throws(SystemError) -> BytePath {
        if try exists(path) { return path }
        let first = volume(1, of: path)
        return try exists(first) ? first : path
    }

    private static func exists(_ path: BytePath) throws(SystemError) -> Bool {
        do throws(SystemError) { _ = try FileStatus(at: path) } catch {
            if error.isMissing { return false }
            throw error
        }
        return true
    }
}
