public import HealthArchive
public import SystemIO

/// The exports that were made to destinations, newest last.
///
/// Which is newest is told by a number that each record gets, because a clock may have been wrong. A record that occurs
/// twice, as after merging the state of two computers, counts once.
public struct History: Sendable {
    private let file: RecordFile<HistoryRecord>
    /// The maximum number of records, which only those with existing exports may exceed.
    private static let most = 1000

    /// Creates the history in a state folder.
    public init(inState folder: BytePath) { file = RecordFile(folder, "history") }

    /// Returns all records, in the order in which they were added.
    ///
    /// - Throws: `SystemError`.
    public func all() throws -> [HistoryRecord] {
        var seen: Set<HistoryRecord> = []
        return try file.all().filter { seen.insert($0).inserted }
            .sorted { ($0.sequence, $0.began) < ($1.sequence, $1.began) }
    }

    /// Adds a record, and returns it with its number.
    ///
    /// A record of the same output that was not verified is replaced: its export was interrupted and has been continued.
    ///
    /// - Throws: `SystemError`.
    public func add(_ record: HistoryRecord) throws -> HistoryRecord {
        var record = record
        try file.change { lines in
            record.sequence = (lines.compactMap(\.record?.sequence).max() ?? 0) + 1
            lines.removeAll { line in
                guard let old = line.record, old.identity != nil else { return false }
                return old.identity == record.identity && old.path == record.path
                    && old.destination == record.destination && old.result == .unverified
            }
            lines.append(RecordFile.Line(record))
            var surplus = lines.count - Self.most
            lines.removeAll { line in
                guard surplus > 0, line.record?.hasOutput != true else { return false }
                surplus -= 1
                return true
            }
        }
        return record
    }

    /// Records that an export was found intact, if it was interrupted before it could record that itself.
    ///
    /// - Parameters:
    ///   - path: The current path of the export.
    ///   - report: The result of checking it.
    /// - Returns: The record, changed or not.
    /// - Throws: `SystemError`.
    public func confirm(
        _ record: HistoryRecord, at path: BytePath, _ report: VerificationReport
    ) throws -> HistoryRecord {
        guard record.result == .unverified, report.isFlawless, let manifest = report.manifest else {
            return record
        }
        return try replace(record) { record in
            record.result = manifest.isIncomplete ? .incomplete : .done
            if record.size == 0 {
                record.size = OutputSize.of(path, isEncrypted: record.isEncrypted) ?? 0
            }
        }
    }

    /// Changes a record, and returns it.
    ///
    /// - Throws: `SystemError`.
    @discardableResult
    public func replace(
        _ record: HistoryRecord, _ change: (inout HistoryRecord) -> Void
    ) throws -> HistoryRecord {
        var changed = record
        change(&changed)
        let (before, after) = (RecordFile.Line(record), RecordFile.Line(changed))
        try file.change { lines in
            lines = lines.map { $0 == before ? after : $0 }
        }
        return changed
    }
}
