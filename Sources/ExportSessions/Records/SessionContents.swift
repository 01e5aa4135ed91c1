public import HealthArchive
import SystemIO
import VaultContainer
public import VaultCrypto

/// What an export has done so far, as its outputs say it themselves: the record of the session does not hold it.
public struct SessionContents: Sendable {
    /// What is kept of an unfinished archive.
    public struct Kept: Sendable, Equatable {
        /// Entries that are whole.
        public var entries = 0
        /// Those of them that are batches.
        public var batches = 0
        /// Bytes that they take.
        public var size = 0
    }

    /// What the finished output holds, nil where there is none.
    public private(set) var report: Inspector.Report?
    /// What is kept of the unfinished one, nil where there is none.
    public private(set) var kept: Kept?

    /// What the finished folder of a plain export says; nothing where it is not there any more.
    public init(ofPlain record: ExportRecord) {
        guard let folder = Self.finished(record) else { return }
        report = try? Inspector(path: folder).inspectFolder()
    }

    /// Opens the archives of an encrypted export.
    ///
    /// - Throws: `VaultError`, for an unfinished archive that another process is writing too.
    public init(ofEncrypted record: ExportRecord, passphrase: borrowing Passphrase) throws(VaultError) {
        if let archive = Self.finished(record) {
            report = try Inspector(path: archive).inspectContainer(passphrase: passphrase)
        }
        if let archive = Self.unfinished(record) { kept = try Self.kept(archive, passphrase) }
    }

    /// There is an archive that only a passphrase opens.
    public static func isSealed(_ record: ExportRecord) -> Bool {
        record.isEncrypted && (finished(record) != nil || unfinished(record) != nil)
    }

    /// The output that the session has finished, if it is still what it was.
    private static func finished(_ record: ExportRecord) -> BytePath? {
        let identity = OutputIdentity.of(record.newest, isEncrypted: record.isEncrypted)
        return identity != nil && identity == record.identity ? record.newest : nil
    }

    private static func unfinished(_ record: ExportRecord) -> BytePath? {
        guard !record.isComplete else { return nil }
        return UnfinishedOutput.path(ofTarget: record.output, isEncrypted: true)
    }

    private static func kept(
        _ archive: BytePath, _ passphrase: borrowing Passphrase
    ) throws(VaultError) -> Kept {
        do {
            let found = try UnfinishedContents(of: archive, passphrase: passphrase)
            let batches = found.members.count { StoredEntry($0.name).batch != nil }
            return Kept(entries: found.members.count, batches: batches, size: found.size)
        } catch {
            // In its first second an archive has nothing that could be opened.
            if error.code == .incomplete { return Kept() }
            throw VaultError(.container(error), path: archive)
        }
    }
}
