import SystemIO

/// A folder of a test's own, removed with all that is in it when the test ends.
struct TemporaryFolder: ~Copyable {
    let path: BytePath = "/tmp/healthvault-tests-\(Int.random(in: 0 ... .max))"
    /// The folder, open.
    let open: OpenFolder

    init() throws {
        try Folder.make(path)
        open = try OpenFolder(opening: path)
    }

    deinit { try? Folder.removeAll(path) }

    /// The path of something in the folder.
    func callAsFunction(_ name: BytePath) -> BytePath { path / name }

    /// Writes a file.
    @discardableResult
    func file(_ name: BytePath, _ content: String = "") throws -> BytePath {
        let file = try FileDescriptor(opening: self(name), .create)
        try file.write(Array(content.utf8).span)
        return file.path
    }

    /// Puts another file in the place of one, as a process would that writes it anew.
    func replace(_ name: BytePath, _ content: String = "") throws {
        let (old, new) = (try open.status(of: name), try file("another file", content))
        try open.rename(new.name, being: open.status(of: new.name), to: name, replacing: old)
        let status = try open.status(of: name)
        precondition(!status.isSameFile(as: old), "another file")
    }

    /// The names of what is in the folder, in the order of their bytes.
    var names: [BytePath] { get throws { try open.entries().map(\.name) } }
}

/// The content of a file as text.
func content(_ path: BytePath) throws -> String {
    let file = try FileDescriptor(opening: path, .read)
    return String(decoding: try file.bytes(at: 0, count: try file.status().size), as: UTF8.self)
}

/// Something lies at `path`, a dangling link included.
func exists(_ path: BytePath) -> Bool { (try? FileStatus(at: path, followingLinks: false)) != nil }

/// Makes an empty file.
func put(_ path: BytePath) { _ = try? FileDescriptor(opening: path, .create) }

/// A path as C takes it.
func c(_ path: BytePath) -> [CChar] { path.bytes.map { CChar(bitPattern: $0) } + [0] }
