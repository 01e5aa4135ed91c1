public import SystemIO

/// The current location of a destination.
public struct DestinationLocation: Sendable, Equatable {
    /// The folder.
    public let path: BytePath
    /// What is known about its file system.
    public let filesystem: FilesystemIdentity

    /// Returns the number of bytes that can be written to it; nil if the file system does not report it.
    ///
    /// - Throws: `SystemError`.
    public func freeSpace() throws(SystemError) -> Int? { try OpenFolder(opening: path).freeSpace() }
}

extension Destination {
    /// Finds the folder: on the drive that has its UUID, wherever that is mounted, or else at its path.
    ///
    /// - Throws: ``DestinationError``, `SystemError`.
    public func locate() throws -> DestinationLocation {
        try locate(among: Mount.all()) { FilesystemIdentity(of: $0) }
    }

    /// Finds the folder among mounts.
    ///
    /// - Parameter identify: Returns the identity of a mounted file system.
    func locate(among mounts: [Mount], _ identify: (Mount) -> FilesystemIdentity) throws
        -> DestinationLocation
    {
        for mount in mounts where filesystem.uuid != nil && mount.source.isAbsolute && mount.root == "/" {
            let found = identify(mount)
            guard found.uuid == filesystem.uuid else { continue }
            let place = pathOnDrive.isEmpty ? mount.point : mount.point / pathOnDrive
            // The same drive may be mounted elsewhere for another purpose, or still be listed where it was unplugged.
            guard (try? marker(at: place)) == marker else { continue }
            return DestinationLocation(path: place, filesystem: found)
        }
        guard let here = try? Folder.canonical(path) else {
            throw DestinationError(.notMounted, name, path: path)
        }
        guard let mount = Mount.holding(here, among: mounts), mount.point == mountPoint else {
            // The folder at this path is on the file system below the mount point.
            throw DestinationError(.notMounted, name, path: path)
        }
        let found = identify(mount)
        if let mine = filesystem.uuid, let theirs = found.uuid, mine != theirs {
            throw DestinationError(.otherDrive, name, path: path)
        }
        switch try marker(at: here) {
        case marker: return DestinationLocation(path: here, filesystem: found)
        case nil: throw DestinationError(.markerMissing, name, path: path)
        default: throw DestinationError(.otherDrive, name, path: path)
        }
    }

    private func marker(at place: BytePath) throws -> String? {
        do { return try DestinationMarker.read(in: place) } catch {
            if error.isMissing || error.isNotFileOrFolder { return nil }
            if error.isAboutDevice { throw DestinationError(.notMounted, name, path: path) }
            throw error
        }
    }
}
