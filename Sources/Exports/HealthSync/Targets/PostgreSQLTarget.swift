import ByteText
import HealthModel
import SampleBatches

/// A table of samples in a PostgreSQL database.
///
/// New rows are copied into the table. Changed ones are copied into a temporary table, and update the rows that are there
/// by one statement. Both are in one transaction together with the anchors. The rows of each person have the name in the
/// column `person`. While the target exists, no other one can synchronise with the same tables.
public actor PostgreSQLTarget: TransactionalStore {
    /// The objects of the store.
    public typealias Object = SampleRecord

    private let connection: PostgreSQLConnection
    let hasTables: Bool
    /// The tables with the schema that they are in, which every statement names.
    private let samples: String
    let anchors: String
    let people: String
    /// Whose batch has begun.
    private(set) var person = ""

    /// Connects to a database, and creates the tables `health_sample`, `health_anchor` and `health_person` if
    /// they do not exist.
    ///
    /// The tables are in the first schema of the search path that exists, and belong to the user of the connection or to a
    /// role that the user is a member of. After that, nothing is looked up by the search path.
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
            let schema = try connection.run(
                "SELECT pg_catalog.quote_ident(pg_catalog.current_schema())")[0][0]
            guard !schema.isEmpty else { throw PostgreSQLError.failed(state: Self.noSchema) }
            // Nothing of another schema is found by its name, also by no function or operator that someone has made there.
            try connection.run("SET search_path = pg_catalog, pg_temp")
            samples = schema + ".health_sample"
            anchors = schema + ".health_anchor"
            people = schema + ".health_person"
            let all = [samples, anchors, people]
            var there = try Self.there(connection, all)
            // Not even an index is made on a table of someone else.
            guard try connection.run(Self.others, all) == [["f"]] else {
                throw PostgreSQLError.failed(state: Self.notOwner)
            }
            var isForgetting = false
            if isReadOnly {
                try connection.run("SET default_transaction_read_only = on")
            } else {
                if there.contains(false) {
                    // Two that make the same table at once fail, also with IF NOT EXISTS.
                    try connection.run("SELECT pg_advisory_lock(1751477356, 0)")
                    isForgetting = try !Self.there(connection, all)[0]
                    for statement in Self.tables(samples, anchors, people) { try connection.run(statement) }
                    try connection.run("SELECT pg_advisory_unlock(1751477356, 0)")
                    there = [true]
                }
                try connection.run("CREATE TEMPORARY TABLE health_staging (LIKE \(samples))")
            }
            let hasTables = !there.contains(false)
            let lock =
                isReadOnly
                ? [["t"]]
                : try connection.run(
                    "SELECT pg_try_advisory_lock(1751477356, to_regclass($1)::oid::bigint::bit(32)::int)",
                    [samples])
            guard lock == [["t"]] else { throw PostgreSQLError.failed(state: Self.inUse) }
            // Someone has removed the table, so that nothing is there of what the anchors stand for.
            if isForgetting { try connection.run("TRUNCATE \(anchors), \(people)") }
            self.hasTables = hasTables
            self.connection = connection
        } catch { throw Self.naming(error) }
    }

    /// Returns which of some tables exist.
    private static func there(
        _ connection: borrowing PostgreSQLConnection, _ tables: [String]
    ) throws(PostgreSQLError) -> [Bool] {
        try connection.run(
            "SELECT to_regclass($1) IS NOT NULL, to_regclass($2) IS NOT NULL, to_regclass($3) IS NOT NULL",
            tables)[0].map { $0 == "t" }
    }

    /// Returns whether a table belongs to someone else, or has a trigger that would run someone else's function with the
    /// rights of the user, which a superuser has anyhow.
    ///
    /// A superuser counts as a member of every role, and so only as the owner of what superusers own.
    private static let others = """
        WITH owned AS (
            SELECT relowner AS owner, relkind IN ('r', 'p') AS is_plain, false AS is_function FROM pg_class
            WHERE oid IN (to_regclass($1), to_regclass($2), to_regclass($3))
            UNION ALL
            SELECT proowner, true, true FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
            WHERE tgrelid IN (to_regclass($1), to_regclass($2), to_regclass($3)) AND NOT tgisinternal
        )
        SELECT EXISTS (
            SELECT FROM owned JOIN pg_roles ON pg_roles.oid = owner
            WHERE NOT is_plain OR NOT CASE
                WHEN (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN rolsuper
                ELSE pg_has_role(owner, 'MEMBER') OR is_function AND rolsuper
            END
        )
        """

    private static func tables(_ samples: String, _ anchors: String, _ people: String) -> [String] {
        [
            """
            CREATE TABLE IF NOT EXISTS \(samples) (
                person text NOT NULL, id text COLLATE "C" NOT NULL, type text NOT NULL, element text NOT NULL,
                start_time timestamptz, end_time timestamptz, creation_time timestamptz, offset_minutes smallint,
                value double precision, value_text text, unit text, source text, source_version text, device text,
                attributes json, content json, PRIMARY KEY (person, id))
            """,
            "CREATE INDEX IF NOT EXISTS health_sample_type_start ON \(samples) (type, start_time)",
            """
            CREATE TABLE IF NOT EXISTS \(anchors) (
                person text NOT NULL, identifier text NOT NULL, element text NOT NULL, type text NOT NULL,
                span text NOT NULL, page integer NOT NULL, count integer NOT NULL, sum text NOT NULL,
                identities bytea NOT NULL, PRIMARY KEY (person, element, type, span, page))
            """,
            """
            CREATE TABLE IF NOT EXISTS \(people) (
                person text PRIMARY KEY, export_seconds bigint, content text)
            """,
        ]
    }

    /// The SQLSTATE `lock_not_available`.
    private static let inUse = "55P03"
    /// The SQLSTATE `invalid_schema_name`.
    private static let noSchema = "3F000"
    /// A state that no server has: the tables belong to someone else.
    private static let notOwner = "others"

    /// Returns an error without anything that was read or written.
    private static func naming(_ error: PostgreSQLError) -> SyncError {
        switch error {
        case .missingLibrary: SyncError(.missingLibrary("libpq5"))
        case .badLocation: SyncError(.invalidTarget("this is not the location of a PostgreSQL database"))
        case .unreachable(let reason): SyncError(.unreachable(reason))
        case .refused, .failed(state: "28P01"), .failed(state: "28000"): SyncError(.refused)
        case .failed(state: inUse): SyncError(.inUse)
        case .failed(state: noSchema):
            SyncError(
                .invalidTarget(
                    "the search path of the connection has no schema that exists and that the user may use"))
        case .failed(state: notOwner): SyncError(.othersTarget)
        case .failed(state: ""): SyncError(.unreachable("the connection was lost"))
        case .failed(state: "3D000"): SyncError(.missingDatabase)
        case .failed(state: "42501"): SyncError(.notPermitted)
        case .failed(state: "53100"): SyncError(.targetFull)
        case .failed(state: "53300"):
            SyncError(.unreachable("the server has no connection left (SQLSTATE 53300)"))
        case .failed(let state) where ["57P01", "57P02", "57P03"].contains(state):
            SyncError(.unreachable("the server is shutting down or starting (SQLSTATE \(state))"))
        // Data exceptions, such as a year or a letter that the database does not have, and limits, such as that of an index.
        case .failed(let state) where state.hasPrefix("22") || state == "54000":
            SyncError(.unsuitable("SQLSTATE \(state)"))
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
                "SELECT id FROM \(samples) WHERE person = $1 AND id = ANY ($2::text[])",
                [person, Self.array(objects)]
            ).map { $0[0] })
        return found.isEmpty ? nil : objects.filter { found.contains($0.id.description) }
    }

    /// Copies records into the table.
    public func add(_ objects: [SampleRecord]) throws(SyncError) {
        _ = try run("SAVEPOINT adding")
        do throws(PostgreSQLError) { try copy(objects, into: samples) } catch {
            guard error == .failed(state: Self.alreadyThere) else { throw Self.naming(error) }
            _ = try run("ROLLBACK TO SAVEPOINT adding")
            try update(objects)
        }
        _ = try run("RELEASE SAVEPOINT adding")
    }

    /// The SQLSTATE `unique_violation`.
    private static let alreadyThere = "23505"

    /// Copies records into the temporary table, and inserts or updates them from there.
    public func update(_ objects: [SampleRecord]) throws(SyncError) {
        do throws(PostgreSQLError) { try copy(objects, into: "pg_temp.health_staging") } catch {
            throw Self.naming(error)
        }
        _ = try run(
            """
            INSERT INTO \(samples) (\(Self.columns)) SELECT \(Self.columns) FROM pg_temp.health_staging
            ON CONFLICT (person, id) DO UPDATE SET \(Self.changes)
            """)
        _ = try run("TRUNCATE pg_temp.health_staging")
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
            "DELETE FROM \(samples) WHERE person = $1 AND id = ANY ($2::text[])",
            [person, Self.array(objects)])
    }

    /// Begins a transaction.
    public func begin(of person: String) throws(SyncError) {
        self.person = person
        _ = try run("BEGIN")
    }

    /// Saves the pages, and commits the transaction.
    public func commit(saving pages: [AnchorPage]) throws(SyncError) {
        try write(pages)
        _ = try run("COMMIT")
    }

    private static let columns = PostgreSQLRows.columns.joined(separator: ", ")
    private static let changes = PostgreSQLRows.columns.dropFirst(2).map { "\($0) = EXCLUDED.\($0)" }
        .joined(separator: ", ")

    /// Rolls the transaction back.
    public func rollBack() {
        // The connection may be lost, and the transaction with it.
        _ = try? connection.run("ROLLBACK")
    }
}
