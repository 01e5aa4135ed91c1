public import SystemIO

/// A claim that keeps other processes from exporting to a destination until it is released.
public final class DestinationClaim: Sendable {
    private let marker: FileDescriptor

    fileprivate init(_ marker: consuming FileDescriptor) { self.marker = marker }
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
        return DestinationClaim(marker)
    }
}
