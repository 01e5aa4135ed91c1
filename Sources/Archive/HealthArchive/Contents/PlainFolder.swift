import DataCompression
import HealthFormats
import SampleBatches
package import SystemIO
import VaultCrypto

/// A plain export folder to read from.
package struct PlainFolder: Sendable {
    private let folder: OpenFolder
    /// The paths of all files below it, except the mark of an unfinished folder.
    package let paths: Set<BytePath>

    /// The largest list of digests, in bytes: some 200,000 files.
    private static let largestList = 1 << 25

    package init(_ path: BytePath) throws { try self.init(try OpenFolder(opening: path)) }

    package init(_ folder: OpenFolder) throws {
        self.folder = folder
        var paths: Set<BytePath> = []
        // However many folders there are, only one is open at a time.
        var pending: [BytePath] = [""]
        while let base = pending.popLast() {
            let entries = try base == "" ? folder.entries() : folder.openFolder(base).entries()
            for entry in entries {
                let path = base / entry.name
                if path == EntryPath.unfinishedMark { continue }
                if entry.status.kind == .folder {
                    pending.append(path)
                } else {
                    paths.insert(path)
                }
            }
        }
        self.paths = paths
    }

    /// Opens a file of the folder.
    ///
    /// - Throws: `SystemError`, with `isNotFileOrFolder` if it is not a file, so that reading never blocks forever.
    func open(_ path: BytePath) throws(SystemError) -> FileDescriptor { try folder.open(path, .read) }

    /// Returns all bytes of a file, which must have at most `limit` bytes.
    package func bytes(of path: BytePath, limit: Int = StoredBatchReader.largestLines) throws -> [UInt8] {
        let file = try open(path)
        let size = try file.status().size
        guard size <= limit else {
            throw VaultError(.batchTooLarge, path: folder.path / path)
        }
        return try file.bytes(at: 0, count: size)
    }

    /// Returns the length of a file in bytes; 0 if there is none.
    func length(of path: BytePath) -> Int { (try? folder.status(of: path).size) ?? 0 }

    /// Returns the lines of a batch.
    ///
    /// - Throws: `VaultError`, with `manifestMismatch` if the folder has no such file.
    func lines(of key: SampleBatch.Key) throws -> [UInt8] {
        let path = EntryPath.batch(key) + EntryPath.linesSuffix
        guard paths.contains(path) else { throw VaultError(.manifestMismatch, path: path) }
        return try bytes(of: path)
    }

    /// Returns the digests in `SHA256SUMS`, by path.
    ///
    /// - Throws: `VaultError`, with `format` if a line is not one of that file.
    package func digests() throws -> [BytePath: String] {
        var digests: [BytePath: String] = [:]
        let list = try bytes(of: EntryPath.checksums, limit: Self.largestList)
        for line in list.split(separator: UInt8(ascii: "\n")) {
            let (digest, rest) = (line.prefix(64), line.dropFirst(64))
            guard rest.starts(with: Array("  ".utf8)), rest.count > 2 else {
                let malformed = FormatError(.malformed, at: line.startIndex)
                throw VaultError(.format(malformed), path: folder.path / EntryPath.checksums)
            }
            digests[BytePath(bytes: rest.dropFirst(2))] = String(decoding: digest, as: UTF8.self)
        }
        return digests
    }

    package func digest(of path: BytePath) throws -> (digest: [UInt8], size: Int) {
        var hash = try SHA256()
        let size = try forEachPiece(of: path) { hash.update($0) }
        return (hash.finish(), size)
    }

    package func checksum(of path: BytePath) throws -> (checksum: UInt32, size: Int) {
        var checksum = CRC32()
        let size = try forEachPiece(of: path) { checksum.update($0) }
        return (checksum.value, size)
    }

    private func forEachPiece(of path: BytePath, _ body: (Span<UInt8>) -> Void) throws -> Int {
        let file = try open(path)
        // Reads from the drive, not from a copy of its data in memory.
        file.dropCache()
        var size = 0
        while true {
            let piece = try file.bytes(at: size, count: 1 << 18)
            if piece.isEmpty { return size }
            body(piece.span)
            size += piece.count
        }
    }
}
