import SystemIO

/// A folder of a test's own, removed with all that is in it when the test ends.
struct TemporaryFolder: ~Copyable {
    let path = "/tmp/healthvault-tests-\(UInt64.random(in: 0 ... .max))"

    init() throws { try Folder.make(path) }

    deinit { try? Folder.removeAll(path) }

    /// The path of something in the folder.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file.
    @discardableResult
    func file(_ name: String, _ content: String = "") throws -> String {
        let file = try FileDescriptor(opening: self(name), .create)
        try file.write(Array(content.utf8).span)
        return file.path
    }
}

/// The content of a file as text.
func content(_ path: String) throws -> String {
    let file = try FileDescriptor(opening: path, .read)
    return String(decoding: try file.bytes(at: 0, count: try file.status().size), as: UTF8.self)
}

/// Something lies at `path`, a dangling link included.
func exists(_ path: String) -> Bool { (try? FileStatus(at: path, followingLinks: false)) != nil }
