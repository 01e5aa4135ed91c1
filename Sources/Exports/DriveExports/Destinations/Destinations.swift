public import SystemIO

/// The destinations that a user has added.
public struct Destinations: Sendable {
    private let file: RecordFile<Destination>

    /// Creates the collection of destinations in a folder.
    public init(_ folder: ConfigurationFolder) {
        file = RecordFile(folder.path, "destinations") { DestinationError(.unknownRecord, "", path: $0) }
    }

    /// Returns all destinations, sorted by name.
    ///
    /// - Throws: `SystemError`; ``DestinationError`` with `unknownRecord`.
    public func all() throws -> [Destination] {
        try file.all().sorted { $0.name < $1.name }
    }

    /// Returns the destination with this name.
    ///
    /// - Throws: ``DestinationError`` with `unknown`; `SystemError`.
    public func destination(_ name: String) throws -> Destination {
        guard let found = try all().first(where: { $0.name == name }) else {
            throw DestinationError(.unknown, name)
        }
        return found
    }

    /// A destination that was added.
    public struct Added: Sendable {
        /// The destination.
        public let destination: Destination
        /// Whether every user of the computer can read its files, whatever permissions are set.
        public let isOpen: Bool
    }

    /// Adds a folder, and marks it with a file.
    ///
    /// - Throws: ``DestinationError`` with `badName` or `nameTaken`; `SystemError` if there is no such folder, or it
    ///   cannot be written.
    public func add(_ name: String, _ path: BytePath, now: Int = SystemClock.now()) throws -> Added {
        guard Destination.isName(name) else { throw DestinationError(.badName, name) }
        guard try !all().contains(where: { $0.name == name }) else {
            throw DestinationError(.nameTaken, name)
        }
        let place = try Folder.canonical(path)
        _ = try OpenFolder(opening: place)
        let mount = Mount.holding(place, among: try Mount.all())
        let (marker, isOpen) = try DestinationMarker.write(in: place)
        let destination = Destination(
            name: name, path: place, mountPoint: mount?.point ?? "/",
            filesystem: mount.map { FilesystemIdentity(of: $0) } ?? FilesystemIdentity(), marker: marker,
            added: now)
        try file.change { lines in
            guard !lines.contains(where: { $0.record?.name == name }) else {
                throw DestinationError(.nameTaken, name)
            }
            lines.append(RecordFile.Line(destination))
        }
        return Added(destination: destination, isOpen: isOpen)
    }

    /// Removes a destination; nothing on the drive is changed.
    ///
    /// - Throws: ``DestinationError`` with `unknown` or `unknownRecord`; `SystemError`.
    public func remove(_ name: String) throws {
        guard try file.replace({ $0.name == name }) else { throw DestinationError(.unknown, name) }
    }
}
