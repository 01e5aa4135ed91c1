import ArchiveWriting
public import HealthArchive
public import SystemIO
public import VaultContainer

/// The contents of an export so far, read from its outputs because the session's record does not list them.
public struct SessionContents: Sendable {
    /// The part of an unfinished archive that is kept.
    public struct Kept: Sendable, Equatable {
        /// The number of complete entries.
        public var entries = 0
        /// The number of batches among them.
        public var batches = 0
        /// The size of the entries in bytes.
        public var size = 0
    }

    /// The contents of the finished output; nil if there is none.
    public private(set) var report: Inspector.Report?
    /// The part of the unfinished output that is kept; nil if there is none.
    public private(set) var kept: Kept?

    /// Reads the finished folder of an unencrypted export; the contents are empty if the folder is gone.
    public init(ofPlain record: ExportRecord) {
        guard let folder = Self.finished(record) else { return }
        report = try? Inspector(path: folder).inspectFolder()
    }

    /// Reads the archives of an encrypted export.
    ///
    /// - Throws: `VaultError`, also if another process is writing the unfinished archive.
    public init(ofEncrypted record: ExportRecord, key: ArchiveKey) throws(VaultError) {
        if let archive = Self.finished(record) {
            report = try Inspector(path: archive).inspectContainer(key: key)
        }
        if Self.unfinished(record) != nil {
            kept = try Self.kept(ofArchive: record.output, key: key)
        }
    }

    /// Returns whether the export has an archive that needs a key.
    public static func isSealed(_ record: ExportRecord) -> Bool {
        record.isEncrypted && (finished(record) != nil || unfinished(record) != nil)
    }

    /// Returns the session's finished output; nil if there is none or it has changed.
    private static func finished(_ record: ExportRecord) -> BytePath? {
        let identity = OutputIdentity.of(record.newest, isEncrypted: record.isEncrypted)
        return identity != nil && identity == record.identity ? record.newest : nil
    }

    private static func unfinished(_ record: ExportRecord) -> BytePath? {
        guard !record.isComplete else { return nil }
        return UnfinishedOutput.path(ofTarget: record.output, isEncrypted: true)
    }

    /// Returns the part of an archive that an interrupted run left behind.
    ///
    /// - Parameters:
    ///   - target: The final path of the archive.
    ///   - key: The key of the archive.
    /// - Throws: `VaultError`.
    public static func kept(
        ofArchive target: BytePath, key: ArchiveKey
    ) throws(VaultError) -> Kept {
        let archive = UnfinishedOutput.path(forTarget: target, isEncrypted: true)
        do {
            let found = try UnfinishedContents(of: archive, key: key)
            let batches = found.members.count { StoredEntry($0).batch != nil }
            return Kept(entries: found.members.count, batches: batches, size: found.size)
        } catch {
            // For the first second, an archive contains nothing that can be opened.
            if error.code == .incomplete { return Kept() }
            throw VaultError(.container(error), path: archive)
        }
    }
}
