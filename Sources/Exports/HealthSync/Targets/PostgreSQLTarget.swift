import ByteText
import HealthModel
import SampleBatches
import Tables

/// Tables in a PostgreSQL database: of samples, and of answers that are computed of them.
///
/// New rows are copied into the table. Changed ones are copied into a temporary table, and update the rows that are there
/// by one statement. Both are in one transaction together with the anchors. The rows of each person have the name in the
/// column `person`. While the target exists, no other one can synchronise with the same tables.
public actor PostgreSQLTarget: AnswerTarget {
    /// The objects of the store.
    public typealias Object = SampleRecord

    private let connection: PostgreSQLConnection
    let hasTables: Bool
    let tables: HealthTables
    /// The schema of the tables, which every statement names.
    private let schema: String
    var samples: String { place(of: tables.samples) }
    var anchors: String { place(of: tables.anchors) }
    var people: String { place(of: tables.people) }
    /// Whose batch has begun.
    private(set) var person = ""

    /// Connects to a database, and creates the tables, whose names begin with `health_`, if they do not exist.
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
            let tables = HealthTables(in: .postgreSQL)
            let place = { (table: SQLTable) in "\(schema).\(table.name)" }
            let all = Self.array(tables.all.map(place))
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
            self.tables = tables
            self.connection = connection
        } catch { throw Self.naming(error) }
    }

    /// Returns a table as statements name it.
    private func place(of table: SQLTable) -> String { "\(schema).\(table.name)" }

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

    func run(_ sql: String, _ values: [String] = []) throws(SyncError) -> [[String]] {
        do throws(PostgreSQLError) { return try connection.run(sql, values) } catch {
            throw Self.naming(error)
        }
    }

    /// Returns an array as PostgreSQL reads it.
    static func array(_ texts: [String]) -> String {
        let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        var array: [UInt8] = []
        for text in texts {
            array.append(UInt8(ascii: array.isEmpty ? "{" : ","))
            array.append(quote)
            for byte in text.utf8 {
                if byte == quote || byte == escape { array.append(escape) }
                array.append(byte)
            }
            array.append(quote)
        }
        return (array.isEmpty ? "{" : String(decoding: array, as: UTF8.self)) + "}"
    }

    /// Returns those of the records that the table has.
    public func fetch(_ objects: [SampleRecord]) throws(SyncError) -> [SampleRecord]? {
        let found = Set(
            try run(
                "SELECT id FROM \(samples) WHERE person = $1 AND id = ANY ($2::text[])",
                [person, Self.array(objects.map(\.id.description))]
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
            INSERT INTO \(samples) (\(tables.samples.columnList)) SELECT \(tables.samples.columnList) FROM pg_temp.health_staging
            ON CONFLICT (person, id) DO UPDATE SET \(changes)
            """)
        _ = try run("TRUNCATE pg_temp.health_staging")
    }

    private func copy(_ objects: [SampleRecord], into table: String) throws(PostgreSQLError) {
        var writer = PostgreSQLRows(of: person)
        var rest = objects[...]
        try connection.copy("COPY \(table) (\(tables.samples.columnList)) FROM STDIN") { rows in
            while rows.count < 1 << 15, let object = rest.popFirst() { writer.append(object, to: &rows) }
            return !rows.isEmpty
        }
    }

    /// Deletes records.
    public func delete(_ objects: [SampleRecord]) throws(SyncError) {
        _ = try run(
            "DELETE FROM \(samples) WHERE person = $1 AND id = ANY ($2::text[])",
            [person, Self.array(objects.map(\.id.description))])
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

    private var changes: String {
        tables.samples.columns.map(\.name).filter { !tables.samples.key.contains($0) }
            .map { "\($0) = EXCLUDED.\($0)" }.joined(separator: ", ")
    }

    /// Rolls the transaction back.
    public func rollBack() {
        // The connection may be lost, and the transaction with it.
        _ = try? connection.run("ROLLBACK")
    }
}

/// The tables of answers.
extension PostgreSQLTarget {
    /// Copies rows into a temporary table, and replaces those that differ.
    func replace(
        _ rows: [[SQLValue]], in table: SQLTable, of person: String, _ scope: AnswerScope
    ) throws(SyncError) {
        let (staging, place) = ("pg_temp.\(table.name)", place(of: table))
        _ = try run("SAVEPOINT replacing")
        do throws(SyncError) {
            _ = try run(
                "CREATE TEMPORARY TABLE \(table.name) AS SELECT \(table.columnList) FROM \(place) WITH NO DATA"
            )
            try copy(rows, "COPY \(staging) (\(table.columnList)) FROM STDIN")
            let list = "SELECT unnest($2::text[])"
            let values = [person] + (scope.texts.map { [Self.array($0)] } ?? [])
            for statement in table.replacement(scope, at: place, from: staging, list: list) {
                _ = try run(statement, values)
            }
            _ = try run("DROP TABLE \(staging)")
        } catch {
            _ = try run("ROLLBACK TO SAVEPOINT replacing")
            throw error
        }
        _ = try run("RELEASE SAVEPOINT replacing")
    }

    private func copy(_ rows: [[SQLValue]], _ statement: String) throws(SyncError) {
        var rest = rows.filter { !$0.contains(where: \.isBeforeTheFirstYear) }[...]
        do throws(PostgreSQLError) {
            try connection.copy(statement) { text in
                while text.count < 1 << 15, let row = rest.popFirst() { CopyText.appendRow(row, to: &text) }
                return !text.isEmpty
            }
        } catch { throw Self.naming(error) }
    }

    /// Returns the texts in a column of the rows of a person.
    func texts(_ column: String, in table: SQLTable, of person: String) throws(SyncError) -> [String] {
        try run("SELECT \(column) FROM \(place(of: table)) WHERE person = $1", [person]).map { $0[0] }
    }

    /// Counts the rows.
    func analyze() throws(SyncError) {
        _ = try run("ANALYZE " + tables.all.map(place).joined(separator: ", "))
    }
}
