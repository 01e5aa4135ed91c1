import SystemIO

/// A folder that goes away with the value.
struct TemporaryFolder: ~Copyable {
    let path: String

    init() throws {
        var name = "/tmp/healthvault-tests-"
        for _ in 0..<12 { name += String(UInt8.random(in: 0..<16), radix: 16) }
        try Folder.make(name)
        path = name
    }

    deinit { try? Folder.removeAll(path) }

    /// The bytes of a file.
    static func bytes(_ path: String) throws -> [UInt8] {
        let file = try FileDescriptor(opening: path, .read)
        return try file.bytes(at: 0, count: try file.status().size)
    }

    /// All files below a folder with their bytes.
    static func contents(of root: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var pending = [""]
        while let folder = pending.popLast() {
            for entry in try Folder.entries(of: root + "/" + folder) {
                let name = folder.isEmpty ? entry.text : folder + "/" + entry.text
                if entry.status.kind == .folder {
                    pending.append(name)
                } else {
                    let file = try FileDescriptor(opening: root + "/" + name, .read)
                    files[name] = try file.bytes(at: 0, count: entry.status.size)
                }
            }
        }
        return files
    }
}

/// The project's fixtures.
enum Fixtures {
    static let root: String = {
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/") + "/Fixtures"
    }()

    static let exports =
        ["none", "3", "8", "11", "12", "13", "14"].map { "exports/version-\($0).xml" } + [
            "exports/export.zip"
        ]
}
