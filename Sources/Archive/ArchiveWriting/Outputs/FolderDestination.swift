import ByteText
package import HealthArchive
package import SystemIO
import VaultCrypto

/// A plain folder of unencrypted files, under a temporary name until they are complete.
package final class FolderDestination: ExportDestination {
    package let form = ExportForm.plain
    package private(set) var size = 0
    /// The replaced folder, if it could not be removed.
    package private(set) var leftBehind: BytePath?
    /// The number of bytes that did not have to be written.
    private var keptBytes = 0
    /// Whether an interrupted run started the folder.
    package var isResumed: Bool { folder.isResumed }
    /// The number of bytes that an interrupted run had already written.
    package var resumedBytes: Int { folder.isResumed ? keptBytes : 0 }

    /// The final name.
    private let name: BytePath
    /// The folder that will be replaced, if there is one.
    private let finished: OpenFolder?
    let unfinished: UnfinishedFolder
    private var folder: UnfinishedFolder { unfinished }
    private var checksums: [(path: BytePath, sha256: [UInt8])] = []
    private var folders: Set<BytePath> = []
    private var openFile: DigestedFile?
    private var isFileOpen = false
    private var refusals: Refusals
    private let isKeptWhenFull: Bool

    /// Starts a folder, or continues the one that an interrupted run of the same session left.
    ///
    /// - Parameters:
    ///   - path: The path of the finished folder.
    ///   - replacing: Whether an existing export folder is replaced.
    ///   - session: The description of what the folder will contain; nil if it cannot be continued.
    ///   - restarting: Whether to start anew instead of continuing an interrupted run.
    ///   - skippingRefused: Whether a batch that the system refuses to write is skipped instead of ending the export.
    ///   - isKeptWhenFull: Whether the folder is kept, to be continued, when there is no space left.
    /// - Throws: `VaultError` if the target exists and must not be replaced, or is in use.
    package init(
        _ path: BytePath, replacing: Bool, session: [UInt8]? = nil, restarting: Bool = false,
        skippingRefused: Bool = false, isKeptWhenFull: Bool = true
    ) throws {
        name = path.name
        refusals = Refusals(isTolerant: skippingRefused)
        self.isKeptWhenFull = isKeptWhenFull
        finished = try Target.check(folder: path, replacing: replacing)
        unfinished = try UnfinishedFolder(of: path, session: session, restarting: restarting)
        DebugLog.log("writing folder \(path): \(unfinished.isResumed ? "continued" : "begun")")
    }

    package func add(_ entry: EncodedEntry) throws -> Bool {
        guard entry.batch == nil, EntryPath.isFile(entry.name) else {
            do { try take(entry) } catch let error as SystemError {
                try refusals.rethrowUnlessTolerable(error, isBatch: entry.batch != nil)
                if !error.isExisting { try? folder.folder.removeFile(entry.name) }
                return false
            }
            refusals.reset()
            return true
        }
        try append(entry.bytes, to: entry.name)
        return true
    }

    /// Appends to the file that is being written, until `endFile` closes it.
    package func append(_ bytes: [UInt8], to path: BytePath) throws {
        try begin(path)
        try openFile?.write(bytes.span)
        size += bytes.count
    }

    /// Removes a file that could not be written completely; the next bytes belong to another file.
    package func dropFile(_ path: BytePath) {
        closeFile()
        try? folder.folder.removeFile(path)
    }

    /// Closes the current file without completing it; the next bytes belong to another file.
    package func closeFile() {
        openFile = nil
        isFileOpen = false
    }

    package func endFile(_ path: BytePath) throws {
        try begin(path)
        guard let open = openFile.take() else { return }
        isFileOpen = false
        let written = try open.finish()
        keptBytes += written.kept
        checksums.append((path, written.sha256))
    }

    /// Adds a file in one piece.
    package func addFile(_ path: BytePath, _ bytes: [UInt8]) throws {
        try write(path, bytes, try SHA256.digest(of: bytes.span))
    }

    package func finish(manifest: [UInt8]) throws {
        try addFile(EntryPath.manifest, manifest)
        try finish()
    }

    /// Writes the list of digests, and gives the folder its name.
    package func finish() throws {
        var lines: [UInt8] = []
        for (path, sha256) in checksums.sorted(by: { $0.path < $1.path }) {
            lines += Array((Hexadecimal.text(sha256) + "  ").utf8) + path.bytes + [UInt8(ascii: "\n")]
        }
        try writeFile(EntryPath.checksums, lines)
        if folder.isResumed { try folder.removeAll(but: Set(checksums.map(\.path) + [EntryPath.checksums])) }
        // One flush of the file system instead of one for each of thousands of files.
        try folder.folder.syncFilesystem()
        if try !Target.install(folder, as: name, replacing: finished) {
            leftBehind = folder.holder.place(folder.name)
        }
    }

    package func abandon() {
        openFile = nil
        // Data of an earlier run is not discarded because this run failed.
        if !folder.isResumed { try? folder.remove() }
    }

    package func suspend(after failure: VaultError) -> Bool {
        openFile = nil
        guard isKeptWhenFull || !failure.isOutOfSpace else {
            try? folder.remove()
            return false
        }
        guard folder.isResumable, size >= Self.leastKept || folder.isResumed else { return false }
        try? folder.folder.syncFilesystem()
        return true
    }

    /// The minimum number of bytes that is kept: less is rewritten as quickly as it is compared.
    private static let leastKept = 1 << 20

    private func begin(_ path: BytePath) throws {
        guard !isFileOpen else { return }
        try makeFolder(of: path)
        let file = try file(path)
        isFileOpen = true
        openFile = try DigestedFile(file)
    }

    /// Writes an entry as a separate file, or records that it was written.
    private func take(_ entry: EncodedEntry) throws {
        switch entry.outcome {
        case .written(let written, let kept):
            size += written
            keptBytes += kept
            checksums.append((entry.name, entry.sha256))
        case .refused(let error): throw error
        case nil: try write(entry.name, entry.bytes, entry.sha256)
        }
    }

    package var batchFiles: FolderFiles? { files }

    /// A writer for the folder's files that can be used from any thread.
    package var files: FolderFiles {
        FolderFiles(folder: folder.folder, finished: finished, isResumed: folder.isResumed)
    }

    private func write(_ path: BytePath, _ bytes: [UInt8], _ sha256: [UInt8]) throws {
        try writeFile(path, bytes)
        checksums.append((path, sha256))
    }

    private func writeFile(_ path: BytePath, _ bytes: [UInt8]) throws {
        try makeFolder(of: path)
        var file = try file(path)
        try file.write(bytes.span)
        keptBytes += try file.finish()
        size += bytes.count
    }

    private func file(_ path: BytePath) throws(SystemError) -> FolderFile { try files.file(path) }

    /// The number of files that were written, not counting the list of their digests.
    var fileCount: Int { checksums.count }

    /// Records the digest of a file that was written in another way.
    func list(_ path: BytePath, _ sha256: [UInt8]) { checksums.append((path, sha256)) }

    /// Makes the folder of a file.
    func makeFolder(of path: BytePath) throws {
        // Even a forged archive must not write outside the folder.
        guard path.staysInside else { throw VaultError(.manifestMismatch, path: path) }
        let parent = path.parent
        guard parent != ".", folders.insert(parent).inserted else { return }
        do { try folder.folder.makeFolders(parent) } catch {
            folders.remove(parent)
            throw error
        }
    }
}

/// The rule for which write errors cost one batch, and which end the export.
private struct Refusals {
    let isTolerant: Bool
    private var inARow = 0
    /// The number of successive refusals after which a drive is assumed to accept no more batches.
    private static let limit = 8

    init(isTolerant: Bool) { self.isTolerant = isTolerant }

    /// Counts an error.
    ///
    /// - Throws: The error, unless it affects only the file of one batch, refusals are tolerated, and there were fewer
    ///   than eight in a row.
    mutating func rethrowUnlessTolerable(_ error: SystemError, isBatch: Bool) throws {
        inARow += 1
        guard isTolerant, isBatch, error.isAboutOneFile, inARow < Self.limit else { throw error }
    }

    mutating func reset() { inARow = 0 }
}
