import SystemIO

/// A folder that goes away with the value.
struct TemporaryFolder: ~Copyable {
    let path: BytePath

    init() throws {
        let name: BytePath = "/tmp/healthvault-tests-\(Int.random(in: 0 ... .max))"
        try Folder.make(name)
        path = name
    }

    deinit { try? Folder.removeAll(path) }

    /// The bytes of a file.
    static func bytes(_ path: BytePath) throws -> [UInt8] {
        let file = try FileDescriptor(opening: path, .read)
        return try file.bytes(at: 0, count: try file.status().size)
    }

    /// Removes a file.
    static func remove(_ path: BytePath) throws { try OpenFolder(holding: path).removeFile(path.name) }

    /// All files below a folder with their bytes.
    static func contents(of root: BytePath) throws -> [BytePath: [UInt8]] {
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

/// The project's fixtures.
enum Fixtures {
    static let root: BytePath = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return BytePath("/" + parts.joined(separator: "/") + "/Fixtures")
    }()

    static let exports: [BytePath] =
        ["none", "3", "8", "11", "12", "13", "14"].map { "exports/version-\($0).xml" } + [
            "exports/export.zip"
        ]
}
