import ByteSpans
import CivilTime
public import HealthModel
import PostgreSQLConnection
import SampleBatches

/// A table of samples in a PostgreSQL database.
///
/// The rows of a batch are copied into a temporary table, and then inserted or updated by one statement, in one
/// transaction together with the anchors. While the target exists, no other one can synchronise with the same tables.
public actor PostgreSQLTarget: TransactionalStore {
    /// The objects of the store.
    public typealias Object = SampleRecord

    private let connection: PostgreSQLConnection
    private let hasTables: Bool
    private var isStaged = false
    private var rows: [UInt8] = []

    /// Connects to a database, and creates the tables `health_sample` and `health_anchor` if they do not exist.
    ///
    /// - Parameters:
    ///   - location: A connection string of libpq, without a password: `postgresql://host/database`.
    ///   - isReadOnly: Whether to change nothing.
    /// - Throws: ``SyncError``.
    public init(_ location: String, isReadOnly: Bool = false) throws(SyncError) {
        let hasPassword: Bool
        do throws(PostgreSQLError) { hasPassword = try PostgreSQLConnection.hasPassword(location) } catch {
            throw Self.naming(error)
        }
        guard !hasPassword else {
            throw SyncError(.passwordInTarget)
        }
        do throws(PostgreSQLError) {
            let connection = try PostgreSQLConnection(location)
            try connection.run("SET client_encoding = 'UTF8'")
            var hasTables = try Self.hasTables(connection)
            if isReadOnly {
                try connection.run("SET default_transaction_read_only = on")
            } else {
                if !hasTables {
                    // Two that make the same table at once fail, also with IF NOT EXISTS.
                    try connection.run("SELECT pg_advisory_lock(1751477356, 0)")
                    for statement in Self.schema { try connection.run(statement) }
                    try connection.run("SELECT pg_advisory_unlock(1751477356, 0)")
                }
                hasTables = true
                try connection.run(
                    "CREATE TEMPORARY TABLE health_staging (LIKE health_sample) ON COMMIT DELETE ROWS")
            }
            let lock =
                isReadOnly
                ? [["t"]]
                : try connection.run(
                    "SELECT pg_try_advisory_lock(1751477356, 'health_sample'::regclass::oid::bigint::bit(32)::int)"
                )
            guard lock == [["t"]] else { throw PostgreSQLError.failed(state: Self.inUse) }
            self.hasTables = hasTables
            self.connection = connection
        } catch { throw Self.naming(error) }
    }

    private static func hasTables(_ connection: borrowing PostgreSQLConnection) throws(PostgreSQLError)
        -> Bool
    {
        try connection.run(
            "SELECT to_regclass('health_sample') IS NOT NULL AND to_regclass('health_anchor') IS NOT NULL")
            == [["t"]]
    }

    private static let schema = [
        """
        CREATE TABLE IF NOT EXISTS health_sample (
            id text COLLATE "C" PRIMARY KEY, type text NOT NULL, element text NOT NULL,
            start_time timestamptz, end_time timestamptz, creation_time timestamptz, offset_minutes smallint,
            value double precision, value_text text, unit text, source text, source_version text, device text,
            attributes json, content json)
        """,
        "CREATE INDEX IF NOT EXISTS health_sample_type_start ON health_sample (type, start_time)",
        """
        CREATE TABLE IF NOT EXISTS health_anchor (
            identifier text NOT NULL, element text NOT NULL, type text NOT NULL, span text NOT NULL,
            page integer NOT NULL, count integer NOT NULL, sum text NOT NULL, identities bytea NOT NULL,
            PRIMARY KEY (element, type, span, page))
        """,
    ]

    /// The SQLSTATE `lock_not_available`.
    private static let inUse = "55P03"

    /// Returns an error without anything that was read or written.
    private static func naming(_ error: PostgreSQLError) -> SyncError {
        switch error {
        case .missingLibrary: SyncError(.missingLibrary("libpq5"))
        case .badLocation: SyncError(.invalidTarget("this is not the location of a PostgreSQL database"))
        case .unreachable(let reason): SyncError(.unreachable(reason))
        case .refused, .failed(state: "28P01"), .failed(state: "28000"): SyncError(.refused)
        case .failed(state: inUse): SyncError(.inUse)
        case .failed(state: ""): SyncError(.unreachable("the connection was lost"))
        case .failed(let state): SyncError(.targetFailed("SQLSTATE \(state)"))
        }
    }

    private func run(_ sql: String, _ values: [String] = []) throws(SyncError) -> [[String]] {
        do throws(PostgreSQLError) { return try connection.run(sql, values) } catch {
            throw Self.naming(error)
        }
    }

    /// Returns an array of identifiers, which consist of hexadecimal digits and hyphens, as PostgreSQL reads it.
    private static func array(_ objects: [SampleRecord]) -> String {
        "{" + objects.map(\.id.description).joined(separator: ",") + "}"
    }

    /// Returns those of the records that the table has.
    public func fetch(_ objects: [SampleRecord]) throws(SyncError) -> [SampleRecord]? {
        let found = Set(
            try run("SELECT id FROM health_sample WHERE id = ANY ($1::text[])", [Self.array(objects)])
                .map { $0[0] })
        return found.isEmpty ? nil : objects.filter { found.contains($0.id.description) }
    }

    /// Copies records into the temporary table.
    public func add(_ objects: [SampleRecord]) throws(SyncError) { try stage(objects) }

    /// Copies records into the temporary table.
    public func update(_ objects: [SampleRecord]) throws(SyncError) { try stage(objects) }

    private func stage(_ objects: [SampleRecord]) throws(SyncError) {
        rows.removeAll(keepingCapacity: true)
        for object in objects { SampleColumns(object)?.appendRow(to: &rows) }
        do throws(PostgreSQLError) { try connection.copy("COPY health_staging FROM STDIN", rows.span) } catch
        {
            throw Self.naming(error)
        }
        isStaged = true
    }

    /// Deletes records.
    public func delete(_ objects: [SampleRecord]) throws(SyncError) {
        _ = try run("DELETE FROM health_sample WHERE id = ANY ($1::text[])", [Self.array(objects)])
    }

    /// Begins a transaction.
    public func begin() throws(SyncError) {
        isStaged = false
        _ = try run("BEGIN")
    }

    /// Inserts or updates what was copied, saves the pages, and commits the transaction.
    public func commit(saving pages: [AnchorPage]) throws(SyncError) {
        if isStaged { _ = try run(Self.upsert) }
        try write(pages)
        _ = try run("COMMIT")
        isStaged = false
    }

    private static let columns = [
        "type", "element", "start_time", "end_time", "creation_time", "offset_minutes", "value", "value_text",
        "unit", "source", "source_version", "device", "attributes", "content",
    ]
    private static let upsert = """
        INSERT INTO health_sample SELECT * FROM health_staging
        ON CONFLICT (id) DO UPDATE SET \(columns.map { "\($0) = EXCLUDED.\($0)" }.joined(separator: ", "))
        """

    /// Rolls the transaction back.
    public func rollBack() {
        isStaged = false
        // The connection may be lost, and the transaction with it.
        _ = try? connection.run("ROLLBACK")
    }
}

/// The anchors, in a table.
extension PostgreSQLTarget {
    /// Returns the types that have pages.
    public func anchoredTypes() throws(SyncError) -> [AnySampleType] {
        guard hasTables else { return [] }
        return try run("SELECT DISTINCT identifier FROM health_anchor ORDER BY 1").map {
            AnySampleType($0[0])
        }
    }

    /// Returns the summaries of the pages of a type.
    public func summaries(of type: AnySampleType) throws(SyncError) -> [AnchorPage.Summary] {
        guard hasTables else { return [] }
        let rows = try run(
            "SELECT element, type, span, page, count, sum FROM health_anchor WHERE identifier = $1",
            [type.identifier])
        var found: [AnchorPage.Summary] = []
        for row in rows {
            guard let page = Int(row[3]), let count = Int(row[4]),
                let summary = AnchorPage.Summary(
                    element: row[0], type: row[1], span: row[2], number: page, count: count, sum: row[5])
            else { throw SyncError(.unreadableAnchors, of: type) }
            found.append(summary)
        }
        return found
    }

    /// Returns pages.
    public func pages(_ summaries: [AnchorPage.Summary]) throws(SyncError) -> [AnchorPage] {
        var pages: [AnchorPage] = []
        for summary in summaries {
            let span = summary.span
            let rows = try run(
                """
                SELECT encode(identities, 'hex') FROM health_anchor
                WHERE element = $1 AND type = $2 AND span = $3 AND page = $4::integer
                """, [span.element, span.type, span.span, String(summary.number)])
            guard let text = rows.first?.first, let bytes = Hexadecimal.bytes(text),
                let page = AnchorPage(summary, bytes: bytes)
            else { throw SyncError(.unreadableAnchors, of: span.sampleType) }
            pages.append(page)
        }
        return pages
    }

    /// Saves pages in a transaction of their own.
    public func save(_ pages: [AnchorPage]) throws(SyncError) {
        try begin()
        do { try commit(saving: pages) } catch {
            rollBack()
            throw error
        }
    }

    private func write(_ pages: [AnchorPage]) throws(SyncError) {
        for page in pages {
            let (span, sum) = (page.span, page.summary.sum)
            let key = [span.element, span.type, span.span, String(page.number)]
            guard !page.identities.isEmpty else {
                _ = try run(
                    """
                    DELETE FROM health_anchor
                    WHERE element = $1 AND type = $2 AND span = $3 AND page = $4::integer
                    """, key)
                continue
            }
            _ = try run(
                """
                INSERT INTO health_anchor (element, type, span, page, identifier, count, sum, identities)
                VALUES ($1, $2, $3, $4::integer, $5, $6::integer, $7, decode($8, 'hex'))
                ON CONFLICT (element, type, span, page)
                DO UPDATE SET count = EXCLUDED.count, sum = EXCLUDED.sum, identities = EXCLUDED.identities
                """,
                key + [
                    span.sampleType.identifier, String(sum.count), sum.hexadecimal,
                    Hexadecimal.text(page.bytes),
                ])
        }
    }

    /// Removes all pages of some types.
    public func removeAnchors(of types: [AnySampleType]) throws(SyncError) {
        for type in types {
            _ = try run("DELETE FROM health_anchor WHERE identifier = $1", [type.identifier])
        }
    }
}

extension SampleColumns {
    /// Appends the columns as a row of COPY's text format.
    fileprivate func appendRow(to rows: inout [UInt8]) {
        func tab() { rows.append(UInt8(ascii: "\t")) }
        func text(_ text: String?) {
            guard let text else {
                rows += [UInt8(ascii: "\\"), UInt8(ascii: "N")]
                return
            }
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "\\"): rows += [byte, byte]
                case UInt8(ascii: "\t"): rows += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
                case UInt8(ascii: "\n"): rows += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
                case UInt8(ascii: "\r"): rows += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
                // PostgreSQL has no NUL in texts.
                case 0: rows += [0xef, 0xbf, 0xbd]
                default: rows.append(byte)
                }
            }
        }
        func time(_ time: Timestamp?) {
            guard let time else { return text(nil) }
            // PostgreSQL keeps no offset, and does not read all of those that an export may have.
            Timestamp(seconds: time.seconds, offsetMinutes: 0).appendISO(to: &rows)
        }
        text(id)
        tab()
        text(type)
        tab()
        text(element)
        tab()
        time(start)
        tab()
        time(end)
        tab()
        time(creation)
        tab()
        text(start.map { String($0.offsetMinutes) })
        tab()
        text(value.map { "\($0)" })
        for column in [valueText, unit, source, sourceVersion, device, attributes, content] {
            tab()
            text(column)
        }
        rows.append(UInt8(ascii: "\n"))
    }
}
