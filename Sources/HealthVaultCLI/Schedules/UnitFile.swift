import SystemIO

/// A unit file of systemd that this program has written.
struct UnitFile {
    private let path: BytePath

    init(_ path: BytePath) { self.path = path }

    /// Writes the file, in place of what it was.
    func write(_ text: [UInt8]) throws(SystemError) {
        let file = try FileDescriptor(opening: path, .updateOrCreate)
        try file.truncate(to: 0)
        try file.write(text.span, at: 0)
        try file.sync()
    }

    /// Removes the file, if it is there.
    func remove() throws(SystemError) {
        guard let folder = try? OpenFolder(holding: path),
            let status = try folder.statusIfThere(of: path.name)
        else { return }
        try folder.removeFile(path.name, being: status)
    }
}
