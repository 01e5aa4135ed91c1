package import ArchiveManifest
import HealthFormats
import SampleBatches
package import SystemIO

/// The contents of a plain export folder.
struct FolderContents: StoredContents {
    private let folder: PlainFolder
    private let path: BytePath

    init(_ path: BytePath) throws {
        self.path = path
        folder = try PlainFolder(path)
        DebugLog.log("opened folder \(path): \(folder.paths.count) files")
    }

    func manifest() throws -> [UInt8] {
        guard folder.paths.contains(EntryPath.manifest) else { throw VaultError(.noManifest, path: path) }
        return try folder.bytes(of: EntryPath.manifest)
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
        do { return try NDJSONReader.read(bytes, key: key) } catch {
            throw VaultError(.format(error), path: self.path / path)
        }
    }

    func prologue() throws -> [UInt8] {
        folder.paths.contains(EntryPath.prologue) ? try folder.bytes(of: EntryPath.prologue) : []
    }

    func pieces(ofFileAt path: BytePath) throws -> StoredPieces {
        guard folder.paths.contains(path) else { throw VaultError(.manifestMismatch, path: path) }
        let file = PieceFile(try folder.open(path))
        var offset = 0
        return StoredPieces {
            // Pieces are as large as in containers; an empty file has one empty piece.
            let piece = try file.descriptor.bytes(at: offset, count: SideFileReader.pieceSize)
            guard !piece.isEmpty || offset == 0 else { return nil }
            offset += max(piece.count, 1)
            return piece
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
