import ByteText
import HealthModel
import SampleBatches
import Tables

/// A connection to a PostgreSQL database, whose tables no other session synchronises meanwhile.
///
/// New rows are copied into the table of samples. Changed ones are copied into a temporary table, and update the rows that are
/// there by one statement.
final class PostgreSQLSession: DatabaseSession {
    private let connection: PostgreSQLConnection
    let hasTables: Bool
    private let tables: HealthTables
    /// The schema of the tables, which every statement names.
    private let schema: String

    /// Connects to a database, and creates the tables if they do not exist.
    init(_ location: String, _ tables: HealthTables, isReadOnly: Bool) throws(SyncError) {
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
            let place = { (table: SQLTable) in "\(schema).\(table.name)" }
            let all = SQLValue.texts(tables.all.map(place)).postgreSQL
            var missing = try connection.run(Self.missing, [all])
            // Not even an index is made on a table of someone else.
            guard try connection.run(Self.others, [all]) == [["f"]] else {
                throw PostgreSQLError.failed(state: Self.notOwner)
            }
            if isReadOnly {
                try connection.run("SET default_transaction_read_only = on")
            } else {
                if !missing.isEmpty {
                    // Two that make the same table at once fail, also with IF NOT EXISTS.
                    try connection.run("SELECT pg_advisory_lock(1751477356, 0)")
                    missing = try connection.run(Self.missing, [all])
                    for table in tables.all where missing.contains([place(table)]) {
                        for statement in table.definition(in: .postgreSQL, at: place(table)) {
                            try connection.run(statement)
                        }
                    }
                    try connection.run("SELECT pg_advisory_unlock(1751477356, 0)")
                }
                try connection.run(
                    "CREATE TEMPORARY TABLE health_staging (LIKE \(place(tables.samples)))")
            }
            let lock =
                isReadOnly
                ? [["t"]]
                : try connection.run(
                    "SELECT pg_try_advisory_lock(1751477356, to_regclass($1)::oid::bigint::bit(32)::int)",
                    [place(tables.samples)])
            guard lock == [["t"]] else { throw PostgreSQLError.failed(state: Self.inUse) }
            if !isReadOnly {
                let names = Set(tables.all.filter { missing.contains([place($0)]) }.map(\.name))
                for statement in tables.forgetting(names, at: place) { try connection.run(statement) }
            }
            hasTables = !isReadOnly || missing.isEmpty
            self.schema = schema
            self.connection = connection
        } catch { throw Self.naming(error) }
        self.tables = tables
    }

    /// Returns those of some tables that do not exist.
    private static let missing =
        "SELECT place FROM unnest($1::text[]) AS place WHERE to_regclass(place) IS NULL"

    /// Returns whether a table belongs to someone else, or has a trigger that would run someone else's function with the
    /// rights of the user, which a superuser has anyhow.
    ///
    /// A superuser counts as a member of every role, and so only as the owner of what superusers own.
    private static let others = """
        WITH tables AS (SELECT to_regclass(place) AS oid FROM unnest($1::text[]) AS place), owned AS (
            SELECT relowner AS owner, relkind IN ('r', 'p') AS is_plain, false AS is_function FROM pg_class
            WHERE oid IN (SELECT oid FROM tables)
            UNION ALL
            SELECT proowner, true, true FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
            WHERE tgrelid IN (SELECT oid FROM tables) AND NOT tgisinternal
        )
        SELECT EXISTS (
            SELECT FROM owned JOIN pg_roles ON pg_roles.oid = owner
            WHERE NOT is_plain OR NOT CASE
                WHEN (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN rolsuper
                ELSE pg_has_role(owner, 'MEMBER') OR is_function AND rolsuper
            END
        )
        """

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

    var dialect: SQLDialect { .postgreSQL }
    var temporarySchema: String { "pg_temp" }
    func place(of table: SQLTable) -> String { "\(schema).\(table.name)" }

    func run(_ sql: String, _ values: [SQLValue]) throws(SyncError) -> [[String]] {
        do throws(PostgreSQLError) { return try connection.run(sql, values.map(\.postgreSQL)) } catch {
            throw Self.naming(error)
        }
    }

    /// Copies rows into a table, but for those of times that PostgreSQL does not have.
    func insert(_ rows: [[SQLValue]], into table: SQLTable, at place: String) throws(SyncError) {
        var rest = rows.filter { !$0.contains(where: \.isBeforeTheFirstYear) }[...]
        do throws(PostgreSQLError) {
            try connection.copy("COPY \(place) (\(table.columnList)) FROM STDIN") { text in
                while text.count < 1 << 15, let row = rest.popFirst() { CopyText.appendRow(row, to: &text) }
                return !text.isEmpty
            }
        } catch { throw Self.naming(error) }
    }

    /// Copies records into the table.
    func add(_ records: [SampleRecord], of person: String) throws(SyncError) {
        _ = try run("SAVEPOINT adding", [])
        do throws(PostgreSQLError) {
            try copy(records, of: person, into: place(of: tables.samples))
        } catch {
            guard error == .failed(state: Self.alreadyThere) else { throw Self.naming(error) }
            _ = try run("ROLLBACK TO SAVEPOINT adding", [])
            try update(records, of: person)
        }
        _ = try run("RELEASE SAVEPOINT adding", [])
    }

    /// The SQLSTATE `unique_violation`.
    private static let alreadyThere = "23505"

    /// Copies records into the temporary table, and inserts or updates them from there.
    func update(_ records: [SampleRecord], of person: String) throws(SyncError) {
        do throws(PostgreSQLError) {
            try copy(records, of: person, into: "pg_temp.health_staging")
        } catch { throw Self.naming(error) }
        let columns = tables.samples.columnList
        _ = try run(
            """
            INSERT INTO \(place(of: tables.samples)) (\(columns)) SELECT \(columns) FROM pg_temp.health_staging
            \(tables.samples.replacing)
            """, [])
        _ = try run("TRUNCATE pg_temp.health_staging", [])
    }

    private func copy(
        _ records: [SampleRecord], of person: String, into table: String
    ) throws(PostgreSQLError) {
        var writer = PostgreSQLRows(of: person)
        var rest = records[...]
        try connection.copy("COPY \(table) (\(tables.samples.columnList)) FROM STDIN") { rows in
            while rows.count < 1 << 15, let record = rest.popFirst() { writer.append(record, to: &rows) }
            return !rows.isEmpty
        }
    }
}
