/// The system's files of time zones, in the form of RFC 8536.
public enum ZoneFiles: Sendable {
    /// The bytes of a zone's file; nil where the system has none of that name.
    ///
    /// - Parameter zone: A name of the zone database, such as `Europe/Berlin`, with nothing in it that leads elsewhere.
    /// - Throws: `SystemError` where there is one that cannot be read.
    public static func bytes(ofZone zone: String) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: folder / BytePath(zone), .read)
            let status = try file.status()
            guard status.kind == .file, status.size <= longest else { return nil }
            return try file.bytes(at: 0, count: status.size)
        } catch {
            guard error.isMissing || error.isRefusal || error.isNoFile else { throw error }
            return nil
        }
    }

    private static let folder: BytePath = "/usr/share/zoneinfo"
    /// The longest has a few thousand bytes.
    private static let longest = 1 << 20
}
