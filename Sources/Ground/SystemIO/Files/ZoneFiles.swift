/// The system's time zone files, in the format of RFC 8536.
public enum ZoneFiles: Sendable {
    /// Returns the bytes of a zone's file; nil if the system has no readable file for it.
    ///
    /// - Parameter zone: A name in the time zone database, such as `Europe/Berlin`; it must not lead out of the
    ///   folder.
    /// - Throws: `SystemError` if reading the file fails.
    public static func bytes(ofZone zone: String) throws(SystemError) -> [UInt8]? {
        try bytes(at: folder / BytePath(zone))
    }

    /// Returns the bytes of the zone file at a path; nil if there is no readable one.
    ///
    /// - Throws: `SystemError` if reading the file fails.
    public static func bytes(at path: BytePath) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: path, .read)
            let status = try file.status()
            guard status.kind == .file, status.size <= longest else { return nil }
            return try file.bytes(at: 0, count: status.size)
        } catch {
            guard error.isMissing || error.isPermissionDenied || error.isNotFileOrFolder else { throw error }
            return nil
        }
    }

    private static let folder: BytePath = "/usr/share/zoneinfo"
    /// The largest file that is read, in bytes; real ones have a few thousand at most.
    private static let longest = 1 << 20
}
