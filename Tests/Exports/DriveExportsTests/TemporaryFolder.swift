import SystemIO

/// A folder of a test's own, removed with all that is in it when the test ends.
struct TemporaryFolder: ~Copyable {
    let path: BytePath = "/tmp/healthvault-tests-\(Int.random(in: 0 ... .max))"

    init() throws { try Folder.make(path) }

    deinit { try? Folder.removeAll(path) }

    /// Writes a file.
    @discardableResult
    func file(_ name: BytePath, _ content: [UInt8]) throws -> BytePath {
        let file = try FileDescriptor(opening: path / name, .create)
        try file.write(content.span)
        return file.path
    }
}
