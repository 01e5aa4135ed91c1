public import SystemIO

/// A systemd unit file that this program has written.
public struct UnitFile: Sendable {
    private let path: BytePath

    /// Creates a reference to a unit file.
    public init(_ path: BytePath) { self.path = path }

    /// Writes the file, replacing an existing one.
    ///
    /// - Throws: `SystemError`.
    public func replace(with text: [UInt8]) throws(SystemError) {
        try OpenFolder(holding: path).replaceFile(path.name, with: text)
    }

    /// Removes the file, if it exists.
    ///
    /// - Throws: `SystemError`.
    public func remove() throws(SystemError) {
        guard let folder = try? OpenFolder(holding: path),
            let status = try folder.statusIfThere(of: path.name)
        else { return }
        try folder.removeFile(path.name, being: status)
    }
}
