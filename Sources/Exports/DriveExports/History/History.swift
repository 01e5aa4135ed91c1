public import SystemIO

/// The exports that were made to destinations, newest last.
public struct History: Sendable {
    private let file: RecordLines
    /// The maximum number of records, which only those with existing exports may exceed.
    private static let most = 1000

    /// Creates the history in a state folder.
    public init(inState folder: BytePath) { file = RecordLines(folder, "history") }

    /// Returns all records, in the order in which they were added.
    ///
    /// - Throws: `SystemError`.
    public func all() throws(SystemError) -> [HistoryRecord] {
        try file.all().compactMap { HistoryRecord(line: $0) }
    }

    /// Adds a record.
    ///
    /// - Throws: `SystemError`.
    public func add(_ record: HistoryRecord) throws {
        try file.change { lines in
            lines.append(record.line)
            guard lines.count > Self.most else { return }
            let surplus = lines.count - Self.most
            var dropped = 0
            lines.removeAll { line in
                guard dropped < surplus, HistoryRecord(line: line)?.hasOutput != true else { return false }
                dropped += 1
                return true
            }
        }
    }

    /// Changes a record.
    ///
    /// - Throws: `SystemError`.
    public func replace(_ record: HistoryRecord, _ change: (inout HistoryRecord) -> Void) throws {
        var changed = record
        change(&changed)
        let (before, after) = (record.line, changed.line)
        try file.change { lines in
            if let index = lines.lastIndex(of: before) { lines[index] = after }
        }
    }
}
