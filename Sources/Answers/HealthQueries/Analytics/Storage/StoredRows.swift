import ByteText
import Database

/// Reading and writing of rows.
extension AnalyticsDatabase {
    /// Returns rows of a period in ascending order.
    ///
    /// - Parameter range: The first days of the rows; nil for all.
    func rows(_ period: AnalyticsPeriod, from first: CivilDate? = nil, to last: CivilDate? = nil) throws
        -> [AnalyticsRow]
    {
        var sources: [Int: [String]] = [:]
        try query("SELECT id, names FROM sources") { row in
            if let id = row[0].integer, let names = row[1].string { sources[id] = SourceNames.list(names) }
        }
        var rows: [AnalyticsRow] = []
        try query(
            """
            SELECT startDate, endDate, recordedAt, metric, value, n, days, coveredSeconds, source
            FROM periods LEFT JOIN amounts USING (period, startDate)
            WHERE period = ?1 AND (?2 IS NULL OR startDate >= ?2) AND (?3 IS NULL OR startDate <= ?3)
            ORDER BY startDate
            """,
            [
                .text(period.rawValue), first.map { .text($0.description) } ?? .null,
                last.map { .text($0.description) } ?? .null,
            ]
        ) { row in
            guard let start = row[0].day, let end = row[1].day, let recordedAt = row[2].instant else {
                return
            }
            if rows.last?.startDate != start {
                rows.append(AnalyticsRow(startDate: start, endDate: end, recordedAt: recordedAt))
            }
            guard let metric = row[3].string.flatMap({ Metric(rawValue: $0) }), let value = row[4].number,
                let n = row[5].count, let days = row[6].count
            else { return }
            rows[rows.count - 1].amounts[metric] = Amount(
                value: value, n: n, days: days, coveredSeconds: row[7].count,
                sources: row[8].integer.flatMap { sources[$0] } ?? [])
        }
        return rows
    }

    /// Returns the first day of the latest row of a period; nil if there is none.
    func latestStart(_ period: AnalyticsPeriod) throws -> CivilDate? {
        var start: CivilDate?
        try query("SELECT max(startDate) FROM periods WHERE period = ?", [.text(period.rawValue)]) {
            start = $0[0].day
        }
        return start
    }

    /// Replaces all rows of a period by computed ones; those that stay the same keep the time of their last change.
    ///
    /// - Returns: The number of rows that were added, changed or removed.
    func replaceRows(
        of period: AnalyticsPeriod, by computed: [ClosedRange<CivilDate>: [Amount?]], at now: Timestamp
    ) throws -> Int {
        var before: [CivilDate: AnalyticsRow] = [:]
        for row in try rows(period) { before[row.startDate] = row }
        for table in ["amounts", "periods"] {
            try run("DELETE FROM \(table) WHERE period = ?", [.text(period.rawValue)])
        }
        var changed = 0
        var insertPeriod = try prepare("INSERT INTO periods VALUES (?, ?, ?, ?)")
        var insertSources = try prepare("INSERT OR IGNORE INTO sources (names) VALUES (?)")
        var insertAmount = try prepare(
            "INSERT INTO amounts SELECT ?, ?, ?, ?, ?, ?, ?, id FROM sources WHERE names = ?")
        for (range, amounts) in computed.sorted(by: { $0.key.lowerBound < $1.key.lowerBound }) {
            var found: [Metric: Amount] = [:]
            for metric in Metric.allCases { found[metric] = amounts[metric.place] }
            let old = before.removeValue(forKey: range.lowerBound)
            let same = old.flatMap { $0.amounts == found && $0.endDate == range.upperBound ? $0 : nil }
            if same == nil { changed += 1 }
            let key: [DatabaseValue] = [.text(period.rawValue), .text(range.lowerBound.description)]
            try insertPeriod.run(
                key + [.text(range.upperBound.description), .text((same?.recordedAt ?? now).iso)])
            for (metric, amount) in found {
                let names = DatabaseValue.text(SourceNames.text(amount.sources))
                try insertSources.run([names])
                try insertAmount.run(
                    key + [
                        .text(metric.rawValue), .real(amount.value), .integer(amount.n),
                        .integer(amount.days),
                        amount.coveredSeconds.map { .integer($0) } ?? .null, names,
                    ])
            }
        }
        return changed + before.count
    }

    /// Removes all rows.
    func removeRows() throws {
        for table in ["amounts", "periods", "sources"] { try run("DELETE FROM \(table)", []) }
        try run(
            """
            DELETE FROM settings
            WHERE name IN ('fingerprint', 'person', 'exportSeconds', 'content', 'sources')
            """, [])
    }

    /// Returns a setting.
    func setting(_ name: String) throws -> String? {
        var value: String?
        try query("SELECT value FROM settings WHERE name = ?", [.text(name)]) { value = $0[0].string }
        return value
    }

    /// Stores a setting.
    func set(_ name: String, _ value: String) throws {
        try run("INSERT OR REPLACE INTO settings VALUES (?, ?)", [.text(name), .text(value)])
    }
}

/// Lists of names as JSON.
enum SourceNames: Sendable {
    static func text(_ names: [String]) -> String {
        var writer = JSONWriter()
        writer.array { writer in
            for name in names { writer.string(name) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func list(_ text: String) -> [String] {
        var reader = JSONReader(Array(text.utf8))
        var names: [String] = []
        try? reader.array { reader in names.append(try reader.string()) }
        return names
    }
}
