public import SystemIO

/// A claim that keeps other processes from exporting to a destination until it is released.
///
/// It holds the file that marks the folder, and so notices if another drive comes to be in its place.
public final class DestinationClaim: Sendable {
    private let marker: FileDescriptor
    private let status: FileStatus

    fileprivate init(_ marker: consuming FileDescriptor) throws(SystemError) {
        status = try marker.status()
        self.marker = marker
    }

    /// Checks that the folder at a destination's path is still the claimed one.
    ///
    /// - Throws: ``DestinationError`` with `otherDrive` or `notMounted`.
    func check(_ location: DestinationLocation, of destination: Destination) throws(DestinationError) {
        guard let found = try? FileStatus(at: location.path / DestinationMarker.name, followingLinks: false)
        else { throw DestinationError(.notMounted, destination.name, path: location.path) }
        guard found.isSameFile(as: status) else {
            throw DestinationError(.otherDrive, destination.name, path: location.path)
        }
    }
}

extension DestinationLocation {
    /// Claims the destination for this process.
    ///
    /// - Throws: `SystemError`, with `isLocked` if another process has claimed it.
    public func claim() throws(SystemError) -> DestinationClaim {
        let marker = try OpenFolder(opening: path).open(DestinationMarker.name, .read)
        do throws(SystemError) { try marker.lock(exclusively: true) } catch {
            // Not every file system supports locks.
            guard !error.isLocked else { throw error }
        }
        return try DestinationClaim(marker)
    }
}
