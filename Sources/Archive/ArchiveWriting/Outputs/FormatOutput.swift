import ByteText
import HealthFormats
package import SystemIO
import VaultCrypto

/// The output of a format: a folder, or a single file.
///
/// Nothing has its final name before it is finished.
package final class FormatOutput: FormatFiles {
    private enum Place {
        case folder(FolderDestination)
        /// A file, in an unfinished folder until it is complete.
        case file(UnfinishedFolder, name: BytePath, replaced: ReplacedFile?)
    }

    private let place: Place
    private var streams: [BytePath: StreamedFile] = [:]
    private var fileSize = 0

    /// Starts a folder.
    ///
    /// - Throws: `VaultError` if the target exists and must not be replaced, or is in use.
    package init(folder path: BytePath, replacing: Bool) throws {
        place = .folder(try FolderDestination(path, replacing: replacing))
    }

    /// Starts a file, for a format that consists of one.
    ///
    /// - Throws: `VaultError` if the target exists and must not be replaced, or is in use.
    package init(file path: BytePath, _ kind: ReplaceableFile, replacing: Bool) throws {
        let replaced = try Target.check(path, kind, replacing: replacing)
        place = .file(
            try UnfinishedFolder(of: path, session: nil, restarting: true), name: path.name,
            replaced: replaced)
    }

    /// The folder for plain files; nil if there is only a single file.
    package var destination: FolderDestination? {
        if case .folder(let destination) = place { destination } else { nil }
    }

    /// The unfinished folder.
    package var folder: OpenFolder {
        switch place {
        case .folder(let destination): destination.unfinished.folder
        case .file(let folder, _, _): folder.folder
        }
    }

    /// Returns the path of a file in the unfinished folder.
    package func path(of name: BytePath) -> BytePath {
        switch place {
        case .folder(let destination):
            destination.unfinished.holder.place(destination.unfinished.name) / name
        case .file(let folder, _, _): folder.holder.place(folder.name) / name
        }
    }

    /// The number of bytes written so far.
    package var size: Int { (destination?.size ?? 0) + fileSize }
    /// The number of files that were written.
    package var fileCount: Int { destination?.fileCount ?? 1 }
    /// The folder that was replaced, if it could not be removed.
    package var leftBehind: BytePath? { destination?.leftBehind }

    package func append(_ bytes: Span<UInt8>, to path: BytePath) throws {
        let stream: StreamedFile
        if let open = streams[path] {
            stream = open
        } else {
            try destination?.makeFolder(of: path)
            stream = try StreamedFile(folder.open(path, .create), hashing: destination != nil)
            streams[path] = stream
        }
        try stream.append(bytes)
    }

    package func end(_ path: BytePath) throws {
        guard let stream = streams.removeValue(forKey: path) else { return }
        let digest = try stream.finish()
        fileSize += stream.size
        destination?.list(path, digest)
    }

    /// Adds a file that was written directly into the unfinished folder.
    package func adopt(_ path: BytePath) throws {
        let file = try folder.open(path, .read)
        let size = try file.status().size
        fileSize += size
        guard let destination else { return }
        var hash = try SHA256()
        var offset = 0
        while offset < size, case let piece = try file.bytes(at: offset, count: 1 << 20), !piece.isEmpty {
            hash.update(piece.span)
            offset += piece.count
        }
        destination.list(path, hash.finish())
    }

    /// Gives the folder or the file its final name; a folder gets a manifest.
    ///
    /// - Parameters:
    ///   - manifest: The manifest of a folder.
    ///   - path: The only file, if a single one is written.
    package func finish(manifest: [UInt8], _ path: BytePath?) throws {
        switch place {
        case .folder(let destination): try destination.finish(manifest: manifest)
        case .file(let unfinished, let name, let replaced):
            guard let path else { return }
            try unfinished.folder.syncFilesystem()
            // An open file keeps the number that identifies it.
            let file = try unfinished.folder.open(path, .read)
            try unfinished.holder.rename(
                unfinished.name / path, being: file.status(), to: name, replacing: replaced?.status)
            // The file has its name, whether or not the folder can be removed.
            try? unfinished.remove()
        }
    }

    /// Removes what was written.
    package func abandon() {
        streams = [:]
        switch place {
        case .folder(let destination): destination.abandon()
        case .file(let folder, _, _): try? folder.remove()
        }
    }
}

/// A file that is written sequentially, in large pieces.
private final class StreamedFile {
    private let file: FileDescriptor
    private var hash: SHA256?
    private var buffer: [UInt8] = []
    private(set) var size = 0
    private static let pieceSize = 1 << 20

    init(_ file: consuming FileDescriptor, hashing: Bool) throws(CryptoError) {
        self.file = file
        hash = hashing ? try SHA256() : nil
    }

    func append(_ bytes: Span<UInt8>) throws(SystemError) {
        size += bytes.count
        hash?.update(bytes)
        guard buffer.count + bytes.count > Self.pieceSize else {
            buffer.append(copying: bytes)
            return
        }
        try flush()
        try file.write(bytes)
    }

    private func flush() throws(SystemError) {
        guard !buffer.isEmpty else { return }
        let bytes = buffer
        try file.write(bytes.span)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes what is left in the buffer, and returns the digest; empty if none is computed.
    func finish() throws(SystemError) -> [UInt8] {
        try flush()
        guard let hash = hash.take() else { return [] }
        return hash.finish()
    }
}
