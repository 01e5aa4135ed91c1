import ArchiveWriting
import HealthArchive
public import HealthExport
public import SystemIO
public import VaultContainer

/// The removal of old exports from a destination.
///
/// What is kept is decided by the dates of the exports, not of the runs. Never removed are the export that was just
/// written, what it continues, and what an archive beside them continues. An export that is newer than the one just
/// written, or has anything that those that stay lack, is removed only if somebody agrees.
public struct Pruning: Sendable {
    private let history: History
    private let record: HistoryRecord
    private let folder: BytePath
    private let key: ArchiveKey?

    /// A reason not to remove an export without asking.
    public enum Doubt: Sendable, Equatable {
        /// It is of a later time than the export that was just written.
        case isNewer
        /// It has something that those that stay lack.
        case hasMore(ExportContainment.Lack)
        /// It cannot be compared with those that stay, because the passphrase does not open it or it is damaged.
        case isUnreadable
    }

    /// The outcome of a removal.
    public struct Outcome: Sendable {
        /// The paths that were removed.
        public var removed: [BytePath] = []
        /// The paths that were kept, and why.
        public var kept: [(path: BytePath, doubt: Doubt)] = []
        /// The paths that could not be removed, and why.
        public var failed: [(path: BytePath, error: any Error)] = []
    }

    /// Prepares to remove exports that, according to the history, were written earlier.
    ///
    /// - Parameters:
    ///   - record: The export that was just written; counts and removes only exports to the same destination and in the
    ///     same format, and only partial ones if this one is partial, else only whole ones.
    ///   - folder: The current folder of the destination.
    ///   - key: The key of the archives; nil for folders.
    public init(
        _ history: History, after record: HistoryRecord, in folder: BytePath, key: ArchiveKey?
    ) {
        self.history = history
        self.record = record
        self.folder = folder
        self.key = key
    }

    /// Removes verified exports beyond a number of newer verified ones.
    ///
    /// A file is counted and removed only if it is still the one that was written then.
    ///
    /// - Parameters:
    ///   - count: The number of exports to keep, at least 1.
    ///   - check: Called before each removal; throws if the folder is no longer that of the destination.
    ///   - agree: Returns whether an export is to be removed in spite of a doubt.
    /// - Throws: `SystemError` if the history cannot be read, `VaultError` if an export that stays cannot be.
    public func keep(
        _ count: Int, checking check: () throws -> Void, agreeing agree: (BytePath, Doubt) -> Bool
    ) throws -> Outcome {
        let records = try history.all()
        let present = records.filter { isLike($0) && isThere($0) }
        let sets = ExportSets(present)
        let surplus = sets.surplus(keeping: count, after: record)
        var outcome = Outcome()
        guard !surplus.isEmpty else { return outcome }
        let staying = sets.sets.filter { set in !surplus.contains { $0 == set } && set.isGood }
        let others = try ExportContainment(
            in: staying.compactMap { $0.members.last.flatMap(path) }, key: key)
        let archives = try key.map { try FolderArchives(in: folder, key: $0) }
        let links = records.filter { $0.continues != nil }
        for set in surplus where !isContinued(set, archives, links) {
            guard let newest = set.members.last, let path = path(of: newest) else { continue }
            if let doubt = doubt(about: set, others), !agree(path, doubt) {
                outcome.kept.append((path, doubt))
                continue
            }
            try remove(set, check, &outcome)
        }
        return outcome
    }

    /// Removes the newest member first, so that the rest can be read at any time.
    private func remove(
        _ set: ExportSets.ExportSet, _ check: () throws -> Void, _ outcome: inout Outcome
    ) throws {
        for old in set.members.reversed() {
            guard let path = path(of: old) else { return }
            try check()
            do {
                try remove(path, old)
                outcome.removed.append(path)
                try history.replace(old) { $0.isPruned = true }
            } catch {
                outcome.failed.append((path, error))
                return
            }
        }
    }

    /// Returns the reason not to remove a set without asking; nil if there is none.
    private func doubt(about set: ExportSets.ExportSet, _ others: ExportContainment) -> Doubt? {
        guard let newest = set.members.last, let path = path(of: newest) else { return nil }
        if let mine = record.dateInOrder, let theirs = set.exported, theirs > mine { return .isNewer }
        // A part of a limited time is meant to give way to the next one.
        guard !record.isPart else { return nil }
        guard let lack = try? others.lack(of: path) else { return .isUnreadable }
        return lack.isNone ? nil : .hasMore(lack)
    }

    /// Whether an archive outside a set continues one of its members, whatever the names of both are.
    ///
    /// - Parameter links: The records of archives that continue others: what they continue is known even of those that
    ///   have another passphrase by now.
    private func isContinued(
        _ set: ExportSets.ExportSet, _ archives: FolderArchives?, _ links: [HistoryRecord]
    ) -> Bool {
        let own = Set(set.members.compactMap { path(of: $0) })
        let ownIdentities = Set(set.members.compactMap(\.identity))
        return set.members.contains { member in
            guard let path = path(of: member), let identity = member.identity else { return false }
            let followers = [archives?.follower(of: identity), FurtherName.follower(of: path)].compactMap {
                $0
            }
            let isKnown = links.contains { link in
                guard link.continues == identity, let other = link.identity else { return false }
                return !ownIdentities.contains(other) && (archives?.copies(of: other) ?? 0) > 0
            }
            return member.isEncrypted && (isKnown || followers.contains { !own.contains($0) })
        }
    }

    private func isLike(_ other: HistoryRecord) -> Bool {
        other.destination == record.destination && other.format == record.format
            && other.isPart == record.isPart
    }

    private func path(of record: HistoryRecord) -> BytePath? { record.path.map { folder / $0.name } }

    private func isThere(_ record: HistoryRecord) -> Bool {
        path(of: record).map { record.isWhole(at: $0) } ?? false
    }

    /// Removes an export, unless the path is another one's by now: somebody may have thought about it for long.
    private func remove(_ path: BytePath, _ old: HistoryRecord) throws {
        guard old.isEncrypted else {
            guard OutputIdentity.of(path, isEncrypted: false) == old.identity else {
                throw SystemError.replaced(path)
            }
            try Target.remove(folder: path)
            return
        }
        let start = try VolumeName.start(of: path)
        let holder = try OpenFolder(holding: start)
        let file = try VolumeFile(opening: start, .update)
        try file.lock(exclusively: true)
        guard CleartextHeader.identifier(of: file) == old.identity else { throw SystemError.replaced(path) }
        // The first volume is removed last: while it exists, the next run removes the rest.
        try file.removeVolumes()
        try holder.removeFile(start.name, being: file.status())
    }
}
