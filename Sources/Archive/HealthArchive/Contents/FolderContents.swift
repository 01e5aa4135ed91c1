import ByteText
import DataCompression
import HealthFormats
import SampleBatches
import Synchronization
package import SystemIO
import VaultCrypto

/// The contents of a plain export folder.
final class FolderContents: StoredContents {
    private let folder: PlainFolder
    private let path: BytePath
    /// The digests in `SHA256SUMS`, once one is needed.
    private let digests = Mutex<[BytePath: String]?>(nil)
    /// The side files in the manifest, once one is read.
    private let files = Mutex<[BytePath: Manifest.File]?>(nil)

    init(_ path: BytePath) throws {
        self.path = path
        folder = try PlainFolder(path)
        DebugLog.log("opened folder \(path): \(folder.paths.count) files")
    }

    func manifest() throws -> [UInt8] {
        guard folder.paths.contains(EntryPath.manifest) else { throw VaultError(.noManifest, path: path) }
        let bytes = try folder.bytes(of: EntryPath.manifest)
        try check(bytes, of: EntryPath.manifest)
        return bytes
    }

    var isAuthentic: Bool { false }

    var batchLimit: Int { folder.paths.count }

    func length(of key: SampleBatch.Key) -> Int {
        folder.length(of: EntryPath.batch(key) + EntryPath.linesSuffix)
    }

    func positions(of key: SampleBatch.Key) -> ClosedRange<Int>? { nil }

    func bytes(of key: SampleBatch.Key, _ cursor: inout ChainCursor) throws -> [UInt8] {
        try folder.lines(of: key)
    }

    func batch(
        _ bytes: [UInt8], _ key: SampleBatch.Key, _ decoder: BatchDecoder, within bounds: BatchDecoder.Bounds
    ) throws -> SampleBatch {
        let path = EntryPath.batch(key) + EntryPath.linesSuffix
        guard bytes.count <= bounds.lines else { throw VaultError(.batchTooLarge, path: path) }
        // Nothing else would notice a line that is missing, or a digit that has changed.
        try check(bytes, of: path)
        do { return try NDJSONReader.read(bytes, key: key) } catch {
            throw VaultError(.format(error), path: self.path / path)
        }
    }

    func prologue() throws -> [UInt8] {
        guard folder.paths.contains(EntryPath.prologue) else { return [] }
        let bytes = try folder.bytes(of: EntryPath.prologue)
        try check(bytes, of: EntryPath.prologue)
        return bytes
    }

    func pieces(ofFileAt path: BytePath) throws -> StoredPieces {
        guard folder.paths.contains(path) else { throw VaultError(.manifestMismatch, path: path) }
        let file = PieceFile(try folder.open(path))
        let listed = try listedFile(at: path)
        let place = self.path / path
        var checksum = CRC32()
        var (offset, isAtEnd) = (0, false)
        return StoredPieces {
            guard !isAtEnd else { return nil }
            // Pieces are as large as in containers; an empty file has one empty piece.
            let piece = try file.descriptor.bytes(at: offset, count: SideFileReader.pieceSize)
            offset += piece.count
            checksum.update(piece.span)
            isAtEnd = piece.count < SideFileReader.pieceSize
            if isAtEnd, let listed, listed.length != offset || listed.crc32 != checksum.value {
                throw VaultError(.manifestMismatch, path: place)
            }
            return piece.isEmpty && offset > 0 ? nil : piece
        }
    }

    /// Compares all bytes of a file with its digest in the list of them, where the folder has one.
    private func check(_ bytes: [UInt8], of path: BytePath) throws {
        guard folder.paths.contains(EntryPath.checksums) else { return }
        let digest = try digests.withLock { known in
            let digests = try known ?? folder.digests()
            known = digests
            return digests[path]
        }
        guard digest == Hexadecimal.text(try SHA256.digest(of: bytes.span)) else {
            throw VaultError(.digestMismatch, path: self.path / path)
        }
    }

    /// Returns what the manifest says about a side file; nil if that is nothing.
    private func listedFile(at path: BytePath) throws -> Manifest.File? {
        try files.withLock { known in
            if let known { return known[path] }
            let all = try ManifestReader.read(manifest()).files
            let files = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }
            known = files
            return files[path]
        }
    }

    /// A file that a closure keeps open.
    private final class PieceFile {
        let descriptor: FileDescriptor

        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }
}

extension Manifest {
    /// Reads the manifest of a plain folder, whatever its formats.
    ///
    /// - Throws: `VaultError`, `SystemError`.
    package init(ofFolder path: BytePath) throws {
        self = try ManifestReader.read(try FolderContents(path).manifest())
    }
}
