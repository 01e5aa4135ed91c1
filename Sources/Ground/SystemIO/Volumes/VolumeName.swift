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
