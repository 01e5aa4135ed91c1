public import HealthArchive
public import SystemIO
import VaultContainer
public import VaultCrypto

/// The contents of an export so far, read from its outputs because the session's record does not contain them.
public struct SessionContents: Sendable {
    /// The contents of an unfinished archive that are kept.
    public struct Kept: Sendable, Equatable {
        /// The number of complete entries.
        public var entries = 0
        /// The number of batches among them.
        public var batches = 0
        /// Their size, in bytes.
        public var size = 0
    }

    /// The contents of the finished output; nil if there is none.
    public private(set) var report: Inspector.Report?
    /// The contents of the unfinished output that are kept; nil if there is none.
    public private(set) var kept: Kept?

    /// Reads the finished folder of a plain export; makes empty contents if it is no longer there.
    public init(ofPlain record: ExportRecord) {
        guard let folder = Self.finished(record) else { return }
        report = try? Inspector(path: folder).inspectFolder()
    }

    /// Opens the archives of an encrypted export.
    ///
    /// - Throws: `VaultError`, also for an unfinished archive that another process is writing.
    public init(ofEncrypted record: ExportRecord, passphrase: borrowing Passphrase) throws(VaultError) {
        if let archive = Self.finished(record) {
            report = try Inspector(path: archive).inspectContainer(passphrase: passphrase)
        }
        if Self.unfinished(record) != nil {
            kept = try Self.kept(ofArchive: record.output, passphrase: passphrase)
        }
    }

    /// Returns whether there is an archive that can be opened only with a passphrase.
    public static func isSealed(_ record: ExportRecord) -> Bool {
        record.isEncrypted && (finished(record) != nil || unfinished(record) != nil)
    }

    /// Returns the output that the session has finished, if it is unchanged.
    private static func finished(_ record: ExportRecord) -> BytePath? {
        let identity = OutputIdentity.of(record.newest, isEncrypted: record.isEncrypted)
        return identity != nil && identity == record.identity ? record.newest : nil
    }

    private static func unfinished(_ record: ExportRecord) -> BytePath? {
        guard !record.isComplete else { return nil }
        return UnfinishedOutput.path(ofTarget: record.output, isEncrypted: true)
    }

    /// Returns what an interrupted run has left of an archive.
    ///
    /// - Parameters:
    ///   - target: The path that the archive would have got.
    ///   - passphrase: The passphrase that the archive was begun with.
    /// - Throws: `VaultError`.
    public static func kept(
        ofArchive target: BytePath, passphrase: borrowing Passphrase
    ) throws(VaultError) -> Kept {
        let archive = UnfinishedOutput.path(forTarget: target, isEncrypted: true)
        do {
            let found = try UnfinishedContents(of: archive, passphrase: passphrase)
            let batches = found.members.count { StoredEntry($0).batch != nil }
            return Kept(entries: found.members.count, batches: batches, size: found.size)
        } catch {
            // In its first second an archive contains nothing that could be opened.
            if error.code == .incomplete { return Kept() }
            throw VaultError(.container(error), path: archive)
        }
    }
}
