import ArchiveWriting
public import HealthArchive
import Synchronization
public import SystemIO

/// The records of exports in a state folder.
public struct ExportRecords: Sendable {
    private let files: SessionFiles<ExportRecord>

    /// Creates the collection of records in a folder.
    public init(_ folder: StateFolder) { files = SessionFiles(folder, suffix: ".export") }

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
        do { return try files.all().compactMap { try? record($0) } } catch {
            throw VaultError.wrapping(error)
        }
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
    public func record(_ id: BulkExportSessionIdentifier) throws -> Listed {
        let (lines, isInUse) = try files.read(id)
        guard let record = lines.compactMap(\.record).last else {
            throw RecordedExportError(.unreadableRecord, path: BytePath(id.text))
        }
        return Listed(record: isInUse ? record : record.reconciled() ?? record, isInUse: isInUse)
    }

    /// Opens the record with this name to start or continue an export; it is locked until it is released.
    ///
    /// - Throws: ``RecordedExportError`` with `inUse` or `invalidIdentifier`; `SystemError`.
    public func open(_ id: BulkExportSessionIdentifier) throws -> OpenExportRecord {
        // Listing sessions briefly locks each file, and a process may remove one before it is locked here.
        try OpenExportRecord(files.open(id, attempts: 20))
    }
}

/// The open record of an export.
///
/// Each new state is appended as a line, and the last complete line is valid: a crash leaves the previous one intact.
public final class OpenExportRecord: Sendable {
    private let log: RecordLog<ExportRecord>
    private let last: Mutex<ExportRecord?>

    /// Records an output that got its final name before its process could record that.
    init(_ log: RecordLog<ExportRecord>) throws(VaultError) {
        self.log = log
        last = Mutex(log.lines.compactMap(\.record).last)
        guard let stored, let reconciled = stored.reconciled() else { return }
        reconciled.removeReplaced(stored)
        try save(reconciled)
    }

    /// The last state written; nil for a new record.
    public var stored: ExportRecord? { last.withLock { $0 } }

    /// Appends a new state.
    ///
    /// - Throws: `VaultError.io`.
    public func save(_ record: ExportRecord) throws(VaultError) {
        do {
            try last.withLock { last in
                var record = record
                record.updated = SystemClock.now()
                try log.append([record])
                last = record
            }
        } catch { throw VaultError.wrapping(error) }
    }

    /// Removes the record.
    ///
    /// - Throws: `VaultError.io`.
    public func remove() throws(VaultError) {
        do { try log.remove() } catch { throw VaultError.wrapping(error) }
    }
}
