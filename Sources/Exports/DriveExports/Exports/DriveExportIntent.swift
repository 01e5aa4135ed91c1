import ArchiveWriting
import ByteText
import HealthArchive
import Synchronization
import SystemIO
import VaultContainer
import VaultCrypto

extension DriveExport {
    /// The record of an output that is about to get its name, or has it.
    ///
    /// It stands in the history before the output has its name: so an output that nobody knows of cannot exist, however
    /// the process ends and however full the folder of the history is.
    final class Intent: Sendable {
        private let stored = Mutex<HistoryRecord?>(nil)
        private let obstacle = Mutex<DestinationError?>(nil)

        /// The record as it stands in the history; nil if there is none yet.
        var record: HistoryRecord? {
            get { stored.withLock { $0 } }
            set { stored.withLock { $0 = newValue } }
        }

        /// The reason why the output must not get its name; nil if there is none.
        var failure: DestinationError? {
            get { obstacle.withLock { $0 } }
            set { obstacle.withLock { $0 = newValue } }
        }
    }

    /// Makes a record of this run.
    func newRecord(_ result: HistoryRecord.Result, _ reason: String? = nil) -> HistoryRecord {
        var record = HistoryRecord(
            began: began, seconds: SystemClock.uptime() - start, destination: destination.name,
            format: options.formatName, result: result)
        record.units = options.recordedUnits
        record.isScheduled = options.isScheduled
        record.reason = reason
        return record
    }

    /// Returns what an exporter calls before its output gets its name: it records the output, and checks that the
    /// folder is still that of the destination.
    func announcement(
        of target: BytePath, continuing archive: BytePath? = nil, _ claim: DestinationClaim
    ) -> @Sendable (_ identity: String, Manifest) throws -> Void {
        { identity, manifest in
            do throws(DestinationError) { try claim.check(location, of: destination) } catch {
                intent.failure = error
                throw error
            }
            var record = newRecord(.unverified)
            record.path = target
            record.identity = identity
            record.continues = archive.flatMap { OutputIdentity.of($0, isEncrypted: true) }
            record.exported = manifest.exported?.seconds
            record.samples = manifest.sampleCount
            record.isPart = manifest.selection != nil
            intent.record = try history.add(record)
        }
    }

    /// Records the size of the output, which has its name now.
    func complete(_ output: Output) throws {
        guard let record = intent.record else { return }
        intent.record = try history.replace(record) { record in
            record.size = output.size
            record.seconds = SystemClock.uptime() - start
        }
        if let identity = record.identity { try unfinished.remove(identity) }
    }

    /// Records how the export ended, and returns the record.
    func conclude(_ result: HistoryRecord.Result, _ reason: String? = nil) throws -> HistoryRecord {
        guard let record = intent.record else { return try history.add(newRecord(result, reason)) }
        let concluded = try history.replace(record) { record in
            record.result = result
            record.reason = reason
            // It was announced, and did not get its name.
            if result == .failed, let path = record.path,
                OutputIdentity.of(path, isEncrypted: record.isEncrypted) != record.identity
            {
                (record.path, record.identity, record.continues) = (nil, nil, nil)
            }
        }
        intent.record = concluded
        return concluded
    }
}

/// What precedes an export that continues an archive: the newest archive is found, and compared with the history.
extension DriveExport {
    /// Returns the archive to continue: the one with the newest export, whatever the names are; nil if there is none.
    ///
    /// If the newest one by name is not open, that one is returned, for its error.
    func newestArchive(_ shelf: Shelf, _ secret: HeldPassphrase) throws -> BytePath? {
        guard let suggested = shelf.newestArchive else {
            try reportMissing([])
            return nil
        }
        let archives = try FolderArchives(in: location.path, key: .passphrase(secret))
        try reportMissing(archives.newest.flatMap(\.identifiers))
        if archives.closed.contains(suggested) { return suggested }
        return archives.newest.first?.path ?? suggested
    }

    /// Reports that the newest archive in the history is no longer in the folder.
    private func reportMissing(_ present: [String]) throws {
        let newest = try history.all().last { record in
            record.destination == destination.name && record.isEncrypted && record.hasOutput
                && record.isVerified && !record.isPart
        }
        guard let path = newest?.path, let identity = newest?.identity, !present.contains(identity),
            OutputIdentity.of(location.path / path.name, isEncrypted: true) != identity
        else { return }
        try attendant.report(.missing(location.path / path.name))
    }

    /// Whether an archive was verified, and is with all those that it continues, as far as the history knows them, where
    /// it was written.
    ///
    /// - Parameter records: The records of this destination.
    func isChainVerified(_ archive: BytePath, in records: [HistoryRecord]) -> Bool {
        func record(_ identity: String?) -> HistoryRecord? { records.last { $0.identity == identity } }
        // The archive itself may have been renamed; if another one was, opening the chain tells.
        guard let newest = record(OutputIdentity.of(archive, isEncrypted: true)), newest.isVerified,
            newest.isWhole(at: archive)
        else { return false }
        var seen: Set<String> = []
        var next = newest.continues
        while let identity = next, seen.insert(identity).inserted, let older = record(identity) {
            guard let name = older.path?.name, older.isWhole(at: location.path / name) else { return false }
            next = older.continues
        }
        return true
    }
}
