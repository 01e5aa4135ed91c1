import SystemIO
import VaultCrypto

/// A plain folder: files for everyone to read, under a temporary name until they are complete.
final class FolderDestination: ExportDestination {
    let form = ExportForm.plain
    private(set) var size = 0

    private let path: String
    private let temporary: String
    private let replacing: Bool
    private let lock: FileDescriptor
    private var checksums: [(path: String, sha256: [UInt8])] = []
    private var folders: Set<String> = []
    private var openFile: OpenFile?
    private var isFileOpen = false

    private struct OpenFile: ~Copyable {
        var file: OutputBuffer
        var hash: SHA256

        consuming func finish() throws -> [UInt8] {
            try file.finish(syncing: false)
            return hash.finish()
        }
    }

    /// Starts a folder.
    ///
    /// - Throws: `VaultError` when the target exists and is not to be replaced, or is in use.
    init(_ path: String, replacing: Bool) throws {
        self.path = path
        self.replacing = replacing
        temporary = path + ".part"
        try Target.check(folder: path, replacing: replacing)
        lock = try Target.begin(folder: temporary, of: path)
    }

    func add(_ entry: EncodedEntry) throws {
        guard entry.batch == nil, entry.name.startsWithBytes(of: EntryPath.files) else {
            try write(entry.name, entry.bytes, entry.sha256)
            return
        }
        try append(entry.bytes, to: entry.name)
    }

    /// Appends to the file that is being written; `endFile` ends it.
    func append(_ bytes: [UInt8], to path: String) throws {
        try begin(path)
        try openFile?.file.write(bytes.span)
        openFile?.hash.update(bytes.span)
        size += bytes.count
    }

    func endFile(_ path: String) throws {
        try begin(path)
        guard let open = openFile.take() else { return }
        isFileOpen = false
        checksums.append((path, try open.finish()))
    }

    /// Adds a file that comes in one piece.
    func addFile(_ path: String, _ bytes: [UInt8]) throws {
        try write(path, bytes, try SHA256.digest(of: bytes.span))
    }

    func finish(manifest: [UInt8]) throws {
        try addFile(EntryPath.manifest, manifest)
        try finish()
    }

    /// Writes the list of digests, and gives the folder its name.
    func finish() throws {
        var lines = ""
        for (path, sha256) in checksums.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
            lines += Hexadecimal.text(sha256) + "  " + path + "\n"
        }
        try writeFile(EntryPath.checksums, Array(lines.utf8))
        // One flush of the file system instead of one for each of thousands of files.
        try lock.syncFilesystem()
        try Target.install(folder: temporary, as: path, replacing: replacing)
    }

    func abandon() {
        openFile = nil
        try? Folder.removeAll(temporary)
    }

    private func begin(_ path: String) throws {
        guard !isFileOpen else { return }
        try makeFolder(of: path)
        let file = try FileDescriptor(opening: temporary + "/" + path, .create)
        isFileOpen = true
        openFile = OpenFile(file: OutputBuffer(file), hash: try SHA256())
    }

    private func write(_ path: String, _ bytes: [UInt8], _ sha256: [UInt8]) throws {
        try writeFile(path, bytes)
        checksums.append((path, sha256))
    }

    private func writeFile(_ path: String, _ bytes: [UInt8]) throws {
        try makeFolder(of: path)
        let file = try FileDescriptor(opening: temporary + "/" + path, .create)
        try file.write(bytes.span)
        try file.close()
        size += bytes.count
    }

    private func makeFolder(of path: String) throws {
        // Whoever made the archive must not write anywhere else.
        guard RelativePath.staysInside(path) else { throw VaultError(.manifestMismatch, path: path) }
        let folder = Folder.parent(of: path)
        guard folder != ".", folders.insert(folder).inserted else { return }
        try Folder.makeAll(temporary + "/" + folder, below: temporary)
    }
}
