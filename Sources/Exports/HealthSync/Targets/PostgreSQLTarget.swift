import ByteSpans
import CivilTime
import HealthModel
import PostgreSQLConnection
import SampleBatches

/// A table of samples in a PostgreSQL database.
///
/// New rows are copied into the table. Changed ones are copied into a temporary table, and update the rows that are there
/// by one statement. Both are in one transaction together with the anchors. The rows of each person have the name in the
/// column `person`. While the target exists, no other one can
/// synchronise with the same tables.
public actor PostgreSQLTarget: TransactionalStore {
    /// The objects of the store.
    public typealias Object = SampleRecord

    private let connection: PostgreSQLConnection
    let hasTables: Bool
    private var isStaged = false
    /// Whose batch has begun.
    private(set) var person = ""

    /// Connects to a database, and creates the tables `health_sample`, `health_anchor` and `health_person` if they do not exist.
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
                    let hasSamples =
                        try connection.run("SELECT to_regclass('health_sample') IS NOT NULL") == [["t"]]
                    for statement in Self.schema { try connection.run(statement) }
                    // Someone has removed the table, so that nothing is there of what the anchors stand for.
                    if !hasSamples { try connection.run("TRUNCATE health_anchor, health_person") }
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
            """
            SELECT to_regclass('health_sample') IS NOT NULL AND to_regclass('health_anchor') IS NOT NULL
                AND to_regclass('health_person') IS NOT NULL
            """) == [["t"]]
    }

    private static let schema = [
        """
        CREATE TABLE IF NOT EXISTS health_sample (
            person text NOT NULL, id text COLLATE "C" NOT NULL, type text NOT NULL, element text NOT NULL,
            start_time timestamptz, end_time timestamptz, creation_time timestamptz, offset_minutes smallint,
            value double precision, value_text text, unit text, source text, source_version text, device text,
            attributes json, content json, PRIMARY KEY (person, id))
        """,
        "CREATE INDEX IF NOT EXISTS health_sample_type_start ON health_sample (type, start_time)",
        """
        CREATE TABLE IF NOT EXISTS health_anchor (
            person text NOT NULL, identifier text NOT NULL, element text NOT NULL, type text NOT NULL,
            span text NOT NULL, page integer NOT NULL, count integer NOT NULL, sum text NOT NULL,
            identities bytea NOT NULL, PRIMARY KEY (person, element, type, span, page))
        """,
        """
        CREATE TABLE IF NOT EXISTS health_person (
            person text PRIMARY KEY, export_seconds bigint, content text)
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

    func run(_ sql: String, _ values: [String] = []) throws(SyncError) -> [[String]] {
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
            try run(
                "SELECT id FROM health_sample WHERE person = $1 AND id = ANY ($2::text[])",
                [person, Self.array(objects)]
            ).map { $0[0] })
        return found.isEmpty ? nil : objects.filter { found.contains($0.id.description) }
    }

    /// Copies records into the table.
    public func add(_ objects: [SampleRecord]) throws(SyncError) {
        _ = try run("SAVEPOINT adding")
        do throws(PostgreSQLError) { try copy(objects, into: "health_sample") } catch {
            guard error == .failed(state: Self.alreadyThere) else { throw Self.naming(error) }
            _ = try run("ROLLBACK TO SAVEPOINT adding")
            try update(objects)
        }
        _ = try run("RELEASE SAVEPOINT adding")
    }

    /// The SQLSTATE `unique_violation`.
    private static let alreadyThere = "23505"

    /// Copies records into the temporary table.
    public func update(_ objects: [SampleRecord]) throws(SyncError) {
        do throws(PostgreSQLError) { try copy(objects, into: "health_staging") } catch {
            throw Self.naming(error)
        }
        isStaged = true
    }

    private func copy(_ objects: [SampleRecord], into table: String) throws(PostgreSQLError) {
        var writer = PostgreSQLRows(of: person)
        var rest = objects[...]
        try connection.copy("COPY \(table) (\(Self.columns)) FROM STDIN") { rows in
            while rows.count < 1 << 15, let object = rest.popFirst() { writer.append(object, to: &rows) }
            return !rows.isEmpty
        }
    }

    /// Deletes records.
    public func delete(_ objects: [SampleRecord]) throws(SyncError) {
        _ = try run(
            "DELETE FROM health_sample WHERE person = $1 AND id = ANY ($2::text[])",
            [person, Self.array(objects)])
    }

    /// Begins a transaction.
    public func begin(of person: String) throws(SyncError) {
        isStaged = false
        self.person = person
        _ = try run("BEGIN")
    }

    /// Inserts or updates what was copied, saves the pages, and commits the transaction.
    public func commit(saving pages: [AnchorPage]) throws(SyncError) {
        if isStaged { _ = try run(Self.upsert) }
        try write(pages)
        _ = try run("COMMIT")
        isStaged = false
    }

    private static let columns = PostgreSQLRows.columns.joined(separator: ", ")
    private static let upsert = """
        INSERT INTO health_sample (\(columns)) SELECT \(columns) FROM health_staging
        ON CONFLICT (person, id) DO UPDATE
        SET \(PostgreSQLRows.columns.dropFirst(2).map { "\($0) = EXCLUDED.\($0)" }.joined(separator: ", "))
        """

    /// Rolls the transaction back.
    public func rollBack() {
        isStaged = false
        // The connection may be lost, and the transaction with it.
        _ = try? connection.run("ROLLBACK")
    }
}
