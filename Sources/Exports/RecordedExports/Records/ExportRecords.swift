public import ArchiveManifest
import ArchiveWriting
import Synchronization
public import SystemIO

/// The records of exports in a state folder.
public struct ExportRecords: Sendable {
    private let folder: StateFolder
    private static let suffix: BytePath = ".export"

    /// Creates the collection of records in a folder.
    public init(_ folder: StateFolder) { self.folder = folder }

    /// A record and whether it is in use.
    public struct Listed: Sendable, Equatable {
        /// The record.
        public var record: ExportRecord
        /// Whether a process is using the record.
        public var isInUse: Bool

        /// Creates a listed record.
        public init(record: ExportRecord, isInUse: Bool) {
            self.record = record
            self.isInUse = isInUse
        }
    }

    /// Returns all readable records, sorted by file name.
    ///
    /// - Throws: `VaultError` if the folder cannot be read.
    public func all() throws(VaultError) -> [Listed] {
        do {
            return try folder.sessionFiles().compactMap { name in
                guard let text = name.dropping(suffix: Self.suffix)?.text else { return nil }
                return try? listed(BulkExportSessionIdentifier(text))
            }
        } catch { throw VaultError.wrapping(error) }
    }

    /// Refuses a target beside which an interrupted export of everything keeps what it has written, for others that would replace
    /// that.
    ///
    /// - Throws: ``RecordedExportError`` with `unfinished`, or with `inUse` if the export is running; `VaultError` if the
    ///   folder cannot be read.
    public func checkNothingUnfinished(beside target: BytePath, isEncrypted: Bool) throws {
        guard let identity = UnfinishedOutput.identity(ofTarget: target, isEncrypted: isEncrypted) else {
            return
        }
        let owner = try all().first { export in
            export.record.output == target && export.record.isEncrypted == isEncrypted
                && export.record.unfinishedIdentity == identity
        }
        guard let owner else { return }
        // While its process asks for a passphrase, the record is locked and the output is not yet.
        throw RecordedExportError(
            owner.isInUse ? .inUse : .unfinished(owner.record.identifier), path: target)
    }

    /// Returns the record with this name.
    ///
    /// - Throws: ``RecordedExportError`` with `noSuchSession` or `unreadableRecord`; `SystemError`.
    public func record(_ id: BulkExportSessionIdentifier) throws -> Listed { try listed(id) }

    private func listed(_ id: BulkExportSessionIdentifier) throws -> Listed {
        guard id.isUsable, try folder.sessionFiles().contains(Self.name(id)) else {
            throw RecordedExportError(.noSuchSession, path: BytePath(id.text))
        }
        let file = try folder.sessionFolder().open(Self.name(id), .read)
        guard let record = ExportRecord(lastLineOf: try file.bytes(at: 0, count: try file.status().size))
        else {
            throw RecordedExportError(.unreadableRecord, path: BytePath(id.text))
        }
        let isInUse = (try? file.lock(exclusively: false)) == nil
        return Listed(record: isInUse ? record : record.reconciled() ?? record, isInUse: isInUse)
    }

    private static func name(_ id: BulkExportSessionIdentifier) -> BytePath { "\(id.text)\(suffix)" }

    /// Opens the record with this name to start or continue an export; it is locked until it is released.
    ///
    /// - Throws: ``RecordedExportError`` with `inUse` or `invalidIdentifier`; `SystemError`.
    public func open(_ id: BulkExportSessionIdentifier) throws -> OpenExportRecord {
        let path = BytePath(id.text)
        guard id.isUsable else { throw RecordedExportError(.invalidIdentifier, path: path) }
        let sessions = try folder.sessionFolder()
        // Listing sessions briefly locks each file, and a process may remove one before it is locked here.
        for _ in 0..<20 {
            let file: FileDescriptor
            do { file = try sessions.claim(Self.name(id), .updateOrCreate) } catch {
                guard error.isLocked else { throw error }
                SystemClock.sleep(milliseconds: 10)
                continue
            }
            let session = try OpenExportRecord(file, Self.name(id), in: sessions)
            try session.reconcile()
            return session
        }
        throw RecordedExportError(.inUse, path: path)
    }
}

/// The open record of an export.
///
/// Each new state is appended as a line, and the last complete line is valid: a crash leaves the previous one intact.
public final class OpenExportRecord: Sendable {
    private struct State: ~Copyable {
        let file: FileDescriptor
        var length: Int
        var stored: ExportRecord?
    }

    private let folder: OpenFolder
    private let name: BytePath
    private let state: Mutex<State>

    init(_ file: consuming FileDescriptor, _ name: BytePath, in folder: OpenFolder) throws {
        self.folder = folder
        self.name = name
        let bytes = try file.bytes(at: 0, count: try file.status().size)
        // The next line must not be appended to an incomplete one.
        let length = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        state = Mutex(State(file: file, length: length, stored: ExportRecord(lastLineOf: bytes)))
    }

    /// The last state written; nil for a new record.
    public var stored: ExportRecord? { state.withLock { $0.stored } }

    /// Appends a new state.
    ///
    /// - Throws: `VaultError.io`.
    public func save(_ record: ExportRecord) throws(VaultError) {
        do {
            try state.withLock { state in
                var record = record
                record.updated = SystemClock.now()
                let line = record.line
                try state.file.truncate(to: state.length)
                try state.file.write(line.span, at: state.length)
                try state.file.sync()
                // The name of a new file is not on the drive with its content.
                if state.length == 0 { try folder.sync() }
                state.length += line.count
                state.stored = record
            }
        } catch { throw VaultError.wrapping(error) }
    }

    /// Records an output that got its final name before its process could record that.
    func reconcile() throws(VaultError) {
        guard let stored, let reconciled = stored.reconciled() else { return }
        reconciled.removeReplaced(stored)
        try save(reconciled)
    }

    /// Removes the record.
    ///
    /// - Throws: `VaultError.io`.
    public func remove() throws(VaultError) {
        do {
            try state.withLock { state in try folder.removeFile(name, being: state.file.status()) }
        } catch { throw VaultError.wrapping(error) }
    }
}
