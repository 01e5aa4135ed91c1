package import SystemIO

/// A folder of a test's own, removed with everything in it when the test ends.
package struct TemporaryFolder: ~Copyable {
    package let path: BytePath = "/tmp/healthvault-tests-\(Int.random(in: 0 ... .max))"

    package init() throws { try Folder.make(path) }

    deinit { try? Folder.removeAll(path) }

    /// Writes a file.
    @discardableResult
    package func file(_ name: BytePath, _ content: [UInt8]) throws -> BytePath {
        let file = try FileDescriptor(opening: path / name, .create)
        try file.write(content.span)
        return file.path
    }

    /// The bytes of a file.
    package static func bytes(_ path: BytePath) throws -> [UInt8] {
        let file = try FileDescriptor(opening: path, .read)
        return try file.bytes(at: 0, count: try file.status().size)
    }

    /// Removes a file.
    package static func remove(_ path: BytePath) throws {
        try OpenFolder(holding: path).removeFile(path.name)
    }

    /// All files below a folder with their bytes.
    package static func contents(of root: BytePath) throws -> [BytePath: [UInt8]] {
        var files: [BytePath: [UInt8]] = [:]
        var pending: [BytePath] = [""]
        while let folder = pending.popLast() {
            for entry in try Folder.entries(of: root / folder) {
                let name = folder / entry.name
                if entry.status.kind == .folder {
                    pending.append(name)
                } else {
                    let file = try FileDescriptor(opening: root / name, .read)
                    files[name] = try file.bytes(at: 0, count: entry.status.size)
                }
            }
        }
        return files
    }
}
