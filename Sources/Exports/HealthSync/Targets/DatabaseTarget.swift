import ByteText
public import HealthArchive
public import HealthModel
import SampleBatches
public import SystemIO
import Tables

/// Tables in an SQLite or PostgreSQL database: of samples, and of answers that are computed of them.
///
/// The names of the tables begin with `health_`, and the database may have others. Each batch is one transaction together
/// with its anchors. The rows of each person have the name in the column `person`. While the target exists, no other one can
/// synchronise with the same tables.
public actor DatabaseTarget: AnswerTarget {
    /// The objects of the store.
    public typealias Object = SampleRecord

    private let session: any DatabaseSession
    private let tables: HealthTables
    /// Whose batch has begun.
    private var person = ""

    /// Opens the SQLite database at a path.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which is created, readable by its owner alone, if it does not exist.
    ///   - isReadOnly: Whether to change nothing; a file that does not exist then counts as empty.
    /// - Throws: ``SyncError``, `foreignTarget` for a file that is not a database; `SystemError` if the file cannot be opened.
    public init(sqlite path: BytePath, isReadOnly: Bool = false) throws {
        let tables = HealthTables(in: .sqlite)
        session = try SQLiteSession(path, tables, isReadOnly: isReadOnly)
        self.tables = tables
    }

    /// Connects to a PostgreSQL database.
    ///
    /// The tables are in the first schema of the search path that exists, and belong to the user of the connection or to a
    /// role that the user is a member of. After that, nothing is looked up by the search path.
    ///
    /// - Parameters:
    ///   - location: A connection string of libpq, without a password: `postgresql://host/database`.
    ///   - isReadOnly: Whether to change nothing.
    /// - Throws: ``SyncError``.
    public init(postgreSQL location: String, isReadOnly: Bool = false) throws(SyncError) {
        let tables = HealthTables(in: .postgreSQL)
        session = try PostgreSQLSession(location, tables, isReadOnly: isReadOnly)
        self.tables = tables
    }

    private var samples: String { session.place(of: tables.samples) }
    private var anchors: String { session.place(of: tables.anchors) }
    private var people: String { session.place(of: tables.people) }

    /// Returns those of the records that the table has.
    public func fetch(_ objects: [SampleRecord]) throws -> [SampleRecord]? {
        let ids = SQLValue.texts(objects.map(\.id.description))
        let rows = try session.run(
            "SELECT id FROM \(samples) WHERE person = $1 AND \(session.dialect.contains("id", in: "$2"))",
            [.text(person), ids])
        let found = Set(rows.map { $0[0] })
        return found.isEmpty ? nil : objects.filter { found.contains($0.id.description) }
    }

    /// Adds records.
    public func add(_ objects: [SampleRecord]) throws { try session.add(objects, of: person) }

    /// Replaces records.
    public func update(_ objects: [SampleRecord]) throws { try session.update(objects, of: person) }

    /// Deletes records.
    public func delete(_ objects: [SampleRecord]) throws {
        _ = try session.run(
            "DELETE FROM \(samples) WHERE person = $1 AND \(session.dialect.contains("id", in: "$2"))",
            [.text(person), .texts(objects.map(\.id.description))])
    }

    /// Begins a transaction.
    public func begin(of person: String) throws {
        _ = try session.run(session.dialect == .sqlite ? "BEGIN IMMEDIATE" : "BEGIN", [])
        self.person = person
    }

    /// Saves the pages, and commits the transaction.
    public func commit(saving pages: [AnchorPage]) throws {
        try write(pages)
        _ = try session.run("COMMIT", [])
    }

    /// Rolls the transaction back.
    public func rollBack() {
        // An error may have ended the transaction already, or the connection.
        _ = try? session.run("ROLLBACK", [])
    }
}

/// The anchors, in a table.
extension DatabaseTarget {
    /// Several: the rows of each have the name.
    public nonisolated var capacity: SubjectCapacity { .several }

    /// Returns the people whose samples the table has.
    public func subjects() throws -> [Subject] {
        guard session.hasTables else { return [] }
        return try session.run("SELECT person, export_seconds, content, zone FROM \(people) ORDER BY 1", [])
            .map { row in
                Subject(
                    row[0], exportDate: Int(row[1]), content: row[2].isEmpty ? nil : row[2],
                    zone: row[3].isEmpty ? nil : PostgreSQLZone.zone(ofName: row[3]))
            }
    }

    /// Saves a person.
    public func save(_ subject: Subject) throws {
        let zone = session.dialect == .sqlite ? subject.zone : subject.zone.map(PostgreSQLZone.name)
        _ = try session.run(
            tables.people.insertion(of: 1, at: people),
            [
                .text(subject.person), subject.exportDate.map { .integer($0) } ?? .null,
                subject.content.map { .text($0) } ?? .null, zone.map { .text($0) } ?? .null,
            ])
    }

    /// Returns the types that have pages.
    public func anchoredTypes(of person: String) throws -> [AnySampleType] {
        guard session.hasTables else { return [] }
        return try session.run(
            "SELECT DISTINCT identifier FROM \(anchors) WHERE person = $1 ORDER BY 1", [.text(person)]
        ).map { AnySampleType($0[0]) }
    }

    /// Returns the summaries of the pages of a type.
    public func summaries(of type: AnySampleType, of person: String) throws -> [AnchorPage.Summary] {
        guard session.hasTables else { return [] }
        let rows: [[String]]
        do {
            rows = try session.run(
                """
                SELECT element, type, span, page, count, sum FROM \(anchors)
                WHERE person = $1 AND identifier = $2
                """, [.text(person), .text(type.identifier)])
        } catch let error as SyncError {
            // A name with letters that the database does not have.
            guard case .unsuitable = error.code else { throw error }
            return []
        }
        return try rows.map { row in
            guard let page = Int(row[3]), let count = Int(row[4]),
                let summary = AnchorPage.Summary(
                    element: row[0], type: row[1], span: row[2], number: page, count: count, sum: row[5])
            else { throw SyncError(.unreadableAnchors, of: type) }
            return summary
        }
    }

    /// Returns pages.
    public func pages(_ summaries: [AnchorPage.Summary], of person: String) throws -> [AnchorPage] {
        guard let span = summaries.first?.span else { return [] }
        let identities = session.dialect == .sqlite ? "hex(identities)" : "encode(identities, 'hex')"
        let rows = try session.run(
            """
            SELECT page, \(identities) FROM \(anchors)
            WHERE person = $1 AND element = $2 AND type = $3 AND span = $4
            """, [person, span.element, span.type, span.span].map { .text($0) })
        let texts = Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
        return try summaries.map { summary in
            guard let text = texts[String(summary.number)], let bytes = Hexadecimal.bytes(text.lowercased()),
                let page = AnchorPage(summary, bytes: bytes)
            else { throw SyncError(.unreadableAnchors, of: span.sampleType) }
            return page
        }
    }

    /// Saves pages in a transaction of their own.
    public func save(_ pages: [AnchorPage], of person: String) throws {
        try begin(of: person)
        do { try commit(saving: pages) } catch {
            rollBack()
            throw error
        }
    }

    /// The number of pages that one statement saves.
    private static let pagesAtOnce = 1000

    /// Writes pages in the transaction that has begun.
    private func write(_ pages: [AnchorPage]) throws {
        for page in pages where page.identities.isEmpty {
            let span = page.span
            _ = try session.run(
                "DELETE FROM \(anchors) WHERE person = $1 AND element = $2 AND type = $3 AND span = $4 AND page = $5",
                [person, span.element, span.type, span.span].map { .text($0) } + [.integer(page.number)])
        }
        var rest = pages.filter { !$0.identities.isEmpty }[...]
        while !rest.isEmpty {
            let next = rest.prefix(Self.pagesAtOnce)
            rest = rest.dropFirst(next.count)
            let values = next.flatMap { page -> [SQLValue] in
                let (span, sum) = (page.span, page.summary.sum)
                return [
                    .text(person), .text(span.sampleType.identifier), .text(span.element), .text(span.type),
                    .text(span.span), .integer(page.number), .integer(sum.count), .text(sum.hexadecimal),
                    .bytes(page.bytes),
                ]
            }
            _ = try session.run(tables.anchors.insertion(of: next.count, at: anchors), values)
        }
    }

    /// Removes all pages of some types.
    public func removeAnchors(of types: [AnySampleType], of person: String) throws {
        for type in types {
            _ = try session.run(
                "DELETE FROM \(anchors) WHERE person = $1 AND identifier = $2",
                [.text(person), .text(type.identifier)])
        }
    }
}

/// The tables of answers.
extension DatabaseTarget {
    /// Inserts rows into a temporary table, and replaces those that differ.
    func replace(
        _ rows: [[SQLValue]], in table: SQLTable, of person: String, _ scope: AnswerScope
    ) throws {
        let (staging, place) = ("\(session.temporarySchema).health_answers", session.place(of: table))
        _ = try session.run("SAVEPOINT replacing", [])
        do {
            _ = try session.run(
                "CREATE TEMPORARY TABLE health_answers AS SELECT \(table.columnList) FROM \(place) WHERE false",
                [])
            try session.insert(rows, into: table, at: staging)
            let values = [.text(person)] + (scope.texts.map { [SQLValue.texts($0)] } ?? [])
            for statement in table.replacement(scope, at: place, from: staging, in: session.dialect) {
                _ = try session.run(statement, values)
            }
            _ = try session.run("DROP TABLE \(staging)", [])
        } catch {
            // An error may have ended the transaction already, or the connection.
            _ = try? session.run("ROLLBACK TO SAVEPOINT replacing", [])
            throw error
        }
        _ = try session.run("RELEASE SAVEPOINT replacing", [])
    }

    /// Returns the texts in a column of the rows of a person.
    func texts(_ column: String, in table: SQLTable, of person: String) throws -> [String] {
        try session.run(
            "SELECT \(column) FROM \(session.place(of: table)) WHERE person = $1", [.text(person)]
        ).map {
            $0[0]
        }
    }

    /// Counts the rows.
    func analyze() throws {
        for table in tables.all { _ = try session.run("ANALYZE \(session.place(of: table))", []) }
    }
}

/// A connection to a database with the tables.
protocol DatabaseSession: AnyObject {
    var dialect: SQLDialect { get }
    /// Whether the tables exist; only a session that changes nothing may find none.
    var hasTables: Bool { get }
    /// The schema of temporary tables.
    var temporarySchema: String { get }

    /// Returns a table as statements name it.
    func place(of table: SQLTable) -> String

    /// Runs a statement, and returns its rows as texts, which are empty for NULL.
    ///
    /// - Parameter values: The values of the parameters `$1`, `$2`, ...
    /// - Throws: ``SyncError``.
    func run(_ sql: String, _ values: [SQLValue]) throws -> [[String]]

    /// Inserts rows into a table, or into a temporary one that is like it.
    func insert(_ rows: [[SQLValue]], into table: SQLTable, at place: String) throws

    /// Inserts samples that are most likely not there.
    func add(_ records: [SampleRecord], of person: String) throws

    /// Replaces samples.
    func update(_ records: [SampleRecord], of person: String) throws
}

extension SQLDialect {
    /// Returns the condition that the text in a column is one of a list.
    func contains(_ column: String, in parameter: String) -> String {
        self == .sqlite
            ? "\(column) IN (SELECT value FROM json_each(\(parameter)))"
            : "\(column) = ANY (\(parameter)::text[])"
    }
}

/// The names of zones for `AT TIME ZONE`, which takes `+01:00` for an hour west of Greenwich, as POSIX does.
private enum PostgreSQLZone: Sendable {
    /// Returns the name of a zone: `<+01:00>-01:00` for an offset.
    static func name(_ zone: String) -> String {
        switch zone.first {
        case "+": "<\(zone)>-\(zone.dropFirst())"
        case "-": "<\(zone)>+\(zone.dropFirst())"
        default: zone
        }
    }

    /// Returns the zone with a name.
    static func zone(ofName name: String) -> String {
        name.first == "<" ? String(name.dropFirst().prefix { $0 != ">" }) : name
    }
}
