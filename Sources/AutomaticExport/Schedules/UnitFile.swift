public import SystemIO

/// A unit file of systemd that this program has written.
public struct UnitFile: Sendable {
    private let path: BytePath

    /// Names a unit file.
    public init(_ path: BytePath) { self.path = path }

    /// Writes the file, in place of what it was.
    ///
    /// - Throws: `SystemError`.
    public func replace(with text: [UInt8]) throws(SystemError) {
        try OpenFolder(holding: path).replaceFile(path.name, with: text)
    }

    /// Removes the file, if it is there.
    ///
    /// - Throws: `SystemError`.
    public func remove() throws(SystemError) {
        guard let folder = try? OpenFolder(holding: path),
            let status = try folder.statusIfThere(of: path.name)
        else { return }
        try folder.removeFile(path.name, being: status)
    }
}
