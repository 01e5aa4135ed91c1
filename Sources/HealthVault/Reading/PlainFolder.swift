import DataCompression
import SystemIO
import VaultCrypto

/// A plain export folder, as far as it is read back.
struct PlainFolder: Sendable {
    let root: String
    /// All files below it, but for the mark of a folder that is being written.
    let paths: Set<String>

    init(_ root: String) throws {
        self.root = root
        var paths: Set<String> = []
        var pending = [""]
        while let folder = pending.popLast() {
            for entry in try Folder.entries(of: folder.isEmpty ? root : root + "/" + folder) {
                let path = folder.isEmpty ? entry.text : folder + "/" + entry.text
                if path == Target.unfinishedMark { continue }
                if entry.status.kind == .folder { pending.append(path) } else { paths.insert(path) }
            }
        }
        self.paths = paths
    }

    func bytes(of path: String) throws -> [UInt8] {
        let file = try FileDescriptor(opening: root + "/" + path, .read)
        return try file.bytes(at: 0, count: try file.status().size)
    }

    /// The digests in `SHA256SUMS`, by path.
    func digests() throws -> [String: String] {
        var digests: [String: String] = [:]
        for line in try bytes(of: EntryPath.checksums).split(separator: UInt8(ascii: "\n")) {
            let (digest, rest) = (line.prefix(64), line.dropFirst(64))
            guard rest.starts(with: Array("  ".utf8)), rest.count > 2 else {
                throw VaultError(.notAnArchive, path: root + "/" + EntryPath.checksums)
            }
            let path = String(decoding: rest.dropFirst(2), as: UTF8.self)
            digests[path] = String(decoding: digest, as: UTF8.self)
        }
        return digests
    }

    func digest(of path: String) throws -> (digest: [UInt8], size: Int) {
        var hash = try SHA256()
        let size = try forEachPiece(of: path) { hash.update($0) }
        return (hash.finish(), size)
    }

    func checksum(of path: String) throws -> (checksum: UInt32, size: Int) {
        var checksum = CRC32()
        let size = try forEachPiece(of: path) { checksum.update($0) }
        return (checksum.value, size)
    }

    private func forEachPiece(of path: String, _ body: (Span<UInt8>) -> Void) throws -> Int {
        let file = try FileDescriptor(opening: root + "/" + path, .read)
        // What is checked is the drive, not the memory that holds a copy of it.
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
