import ByteText
import Database
public import HealthArchive
public import HealthModel
import SampleBatches
public import SystemIO
import Tables

/// Tables in an SQLite database: of samples, and of answers that are computed of them.
///
/// The database may have other tables; those of this target begin with `health_`. Each batch is one transaction together
/// with its anchors. The rows of each person have the name in the column `person`. While the target exists, no other one can use the same file.
public actor SQLiteTarget: AnswerTarget {
    /// The objects of the store.
    public typealias Object = SampleRecord

    private let lock: FileDescriptor
    private let database: Database
    private let tables: HealthTables
    private let path: BytePath
    private let hasTables: Bool
    private var isOpen = false
    /// Whose batch has begun.
    private var person = ""

    /// Opens the database at a path.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which is created, readable by its owner alone, if it does not exist.
    ///   - isReadOnly: Whether to change nothing; a file that does not exist then counts as empty.
    /// - Throws: ``SyncError``, `foreignTarget` for a file that is not a database; `SystemError` if the file cannot be opened.
    public init(path: BytePath, isReadOnly: Bool = false) throws {
        self.path = path
        let isMissing = isReadOnly && (try? FileStatus(at: path)) == nil
        let place = isMissing ? path.parent : path
        let lock = try FileDescriptor(opening: place, isReadOnly ? .read : .updateOrCreate)
        do { try lock.lock(exclusively: !isReadOnly) } catch {
            throw error.isLocked ? SyncError(.inUse) : error
        }
        do {
            let database =
                isMissing
                ? try Database(inMemory: [])
                : isReadOnly ? try Database(reading: path.bytes) : try Database(updating: path.bytes)
            let tables = HealthTables(in: .sqlite)
            var missing = try Self.missing(tables, database)
            if !isReadOnly {
                // Nothing of a person gets into another file.
                try database.execute("PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY")
                if !missing.isEmpty {
                    let made = tables.all.filter { missing.contains($0.name) }.flatMap {
                        $0.definition(in: .sqlite, at: $0.name)
                    }
                    let statements = made + tables.forgetting(missing) { $0.name }
                    try database.execute("BEGIN IMMEDIATE;\n\(statements.joined(separator: ";\n"));\nCOMMIT")
                    missing = []
                }
            }
            hasTables = missing.isEmpty
            self.tables = tables
            self.database = database
        } catch { throw Self.naming(error) }
        self.lock = lock
    }

    /// Returns the names of the tables that do not exist.
    private static func missing(_ tables: HealthTables, _ database: borrowing Database) throws -> Set<String>
    {
        var statement = try database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
        return Set(
            try tables.all.map(\.name).filter { name in
                try statement.bind(.text(Array(name.utf8)), at: 1)
                defer { statement.reset() }
                return try !statement.step()
            })
    }

    /// Returns an error of the database without anything that was read or written.
    private static func naming(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        if error.isOtherFile { return SyncError(.foreignTarget) }
        if error.isFull { return SyncError(.targetFull) }
        if error.isLocked { return SyncError(.targetLocked) }
        return SyncError(
            error.isDamaged ? .targetDamaged(error.description) : .targetFailed(error.description))
    }

    /// Returns those of the records that the table has.
    public func fetch(_ objects: [SampleRecord]) throws -> [SampleRecord]? {
        do {
            var statement = try database.prepare("SELECT 1 FROM health_samples WHERE person = ? AND id = ?")
            return try objects.filter { object in
                try Self.bind([person, object.id.description], &statement)
                defer { statement.reset() }
                return try statement.step()
            }
        } catch { throw Self.naming(error) }
    }

    /// Adds records.
    public func add(_ objects: [SampleRecord]) throws { try write(objects) }

    /// Replaces records.
    public func update(_ objects: [SampleRecord]) throws { try write(objects) }

    private func write(_ objects: [SampleRecord]) throws {
        do {
            var contents = SplitContents()
            let rows = objects.lazy.compactMap { object in
                SampleColumns(object, &contents)?.values(of: self.person, in: .sqlite)
            }
            try insert(rows, into: tables.samples, at: tables.samples.name, replacing: true)
        } catch { throw Self.naming(error) }
    }

    /// Deletes records.
    public func delete(_ objects: [SampleRecord]) throws {
        do {
            var statement = try database.prepare("DELETE FROM health_samples WHERE person = ? AND id = ?")
            for object in objects {
                try Self.bind([person, object.id.description], &statement)
                try statement.run()
            }
        } catch { throw Self.naming(error) }
    }

    /// Begins a transaction.
    public func begin(of person: String) throws {
        do { try database.execute("BEGIN IMMEDIATE") } catch { throw Self.naming(error) }
        self.person = person
        isOpen = true
    }

    /// Saves the pages, and commits the transaction.
    public func commit(saving pages: [AnchorPage]) throws {
        try write(pages)
        do { try database.execute("COMMIT") } catch { throw Self.naming(error) }
        isOpen = false
    }

    /// Rolls the transaction back.
    public func rollBack() {
        guard isOpen else { return }
        isOpen = false
        // An error may have ended the transaction already.
        try? database.execute("ROLLBACK")
    }
}

/// The anchors, in a table.
extension SQLiteTarget {
    /// Several: the rows of each have the name.
    public nonisolated var capacity: SubjectCapacity { .several }

    /// Returns the people whose samples the table has.
    public func subjects() throws -> [Subject] {
        guard hasTables else { return [] }
        do {
            var statement = try database.prepare(
                "SELECT person, export_seconds, content, zone FROM health_people ORDER BY 1")
            var subjects: [Subject] = []
            while try statement.step() {
                subjects.append(
                    Subject(
                        String(decoding: statement.text(at: 0) ?? [], as: UTF8.self),
                        exportDate: statement.integer(at: 1),
                        content: statement.text(at: 2).map { String(decoding: $0, as: UTF8.self) },
                        zone: statement.text(at: 3).map { String(decoding: $0, as: UTF8.self) }))
            }
            return subjects
        } catch { throw Self.naming(error) }
    }

    /// Saves a person.
    public func save(_ subject: Subject) throws {
        do {
            let row: [SQLValue] = [
                .text(subject.person), subject.exportDate.map { .integer($0) } ?? .null,
                subject.content.map { .text($0) } ?? .null, subject.zone.map { .text($0) } ?? .null,
            ]
            try insert([row], into: tables.people, at: tables.people.name, replacing: true)
        } catch { throw Self.naming(error) }
    }

    /// Returns the types that have pages.
    public func anchoredTypes(of person: String) throws -> [AnySampleType] {
        guard hasTables else { return [] }
        do {
            var statement = try database.prepare(
                "SELECT DISTINCT identifier FROM health_anchors WHERE person = ? ORDER BY 1")
            try Self.bind([person], &statement)
            var types: [AnySampleType] = []
            while try statement.step() {
                types.append(AnySampleType(String(decoding: statement.text(at: 0) ?? [], as: UTF8.self)))
            }
            return types
        } catch { throw Self.naming(error) }
    }

    /// Returns the summaries of the pages of a type.
    public func summaries(of type: AnySampleType, of person: String) throws -> [AnchorPage.Summary] {
        guard hasTables else { return [] }
        do {
            var statement = try database.prepare(
                "SELECT element, type, span, page, count, sum FROM health_anchors WHERE person = ? AND identifier = ?"
            )
            try Self.bind([person, type.identifier], &statement)
            var found: [AnchorPage.Summary] = []
            while try statement.step() {
                let texts = [0, 1, 2, 5].map { String(decoding: statement.text(at: $0) ?? [], as: UTF8.self) }
                guard let page = statement.integer(at: 3), let count = statement.integer(at: 4),
                    let summary = AnchorPage.Summary(
                        element: texts[0], type: texts[1], span: texts[2], number: page, count: count,
                        sum: texts[3])
                else { throw SyncError(.unreadableAnchors, of: type) }
                found.append(summary)
            }
            return found
        } catch { throw Self.naming(error) }
    }

    /// Returns pages.
    public func pages(_ summaries: [AnchorPage.Summary], of person: String) throws -> [AnchorPage] {
        do {
            var statement = try database.prepare(
                """
                SELECT identities FROM health_anchors
                WHERE person = ? AND element = ? AND type = ? AND span = ? AND page = ?
                """)
            return try summaries.map { summary in
                let span = summary.span
                try Self.bind([person, span.element, span.type, span.span], &statement)
                try statement.bind(integer: summary.number, at: 5)
                defer { statement.reset() }
                guard try statement.step(), let bytes = statement.blob(at: 0),
                    let page = AnchorPage(summary, bytes: bytes)
                else { throw SyncError(.unreadableAnchors, of: summary.span.sampleType) }
                return page
            }
        } catch { throw Self.naming(error) }
    }

    /// Binds the first parameters of a statement.
    private static func bind(_ texts: [String], _ statement: inout Statement) throws {
        for (number, text) in texts.enumerated() {
            try statement.bind(.text(Array(text.utf8)), at: number + 1)
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

    private func write(_ pages: [AnchorPage]) throws {
        do {
            var deletion = try database.prepare(
                "DELETE FROM health_anchors WHERE person = ? AND element = ? AND type = ? AND span = ? AND page = ?"
            )
            var insertion = try database.prepare(
                """
                INSERT OR REPLACE INTO health_anchors
                (person, element, type, span, page, identifier, count, sum, identities) VALUES (?,?,?,?,?,?,?,?,?)
                """)
            for page in pages {
                let (span, summary) = (page.span, page.summary)
                guard !page.identities.isEmpty else {
                    try Self.bind([person, span.element, span.type, span.span], &deletion)
                    try deletion.bind(integer: page.number, at: 5)
                    try deletion.run()
                    continue
                }
                try Self.bind([person, span.element, span.type, span.span], &insertion)
                try insertion.bind(integer: page.number, at: 5)
                try insertion.bind(.text(Array(span.sampleType.identifier.utf8)), at: 6)
                try insertion.bind(integer: summary.sum.count, at: 7)
                try insertion.bind(.text(Array(summary.sum.hexadecimal.utf8)), at: 8)
                try insertion.bind(.blob(page.bytes), at: 9)
                try insertion.run()
            }
        } catch { throw Self.naming(error) }
    }

    /// Removes all pages of some types.
    public func removeAnchors(of types: [AnySampleType], of person: String) throws {
        do {
            var statement = try database.prepare(
                "DELETE FROM health_anchors WHERE person = ? AND identifier = ?")
            for type in types {
                try Self.bind([person, type.identifier], &statement)
                try statement.run()
            }
        } catch { throw Self.naming(error) }
    }
}

/// The tables of answers.
extension SQLiteTarget {
    /// Inserts rows into a temporary table, and replaces those that differ.
    func replace(
        _ rows: [[SQLValue]], in table: SQLTable, of person: String, _ scope: AnswerScope
    ) throws {
        do {
            let staging = "temp.staged"
            try database.execute(
                "CREATE TEMPORARY TABLE staged AS SELECT \(table.columnList) FROM \(table.name) WHERE false")
            try insert(rows, into: table, at: staging)
            let list = "SELECT value FROM json_each($2)"
            for sql in table.replacement(scope, at: table.name, from: staging, list: list) {
                var statement = try database.prepare(sql)
                try Self.bind([person], &statement)
                if let texts = scope.texts { try statement.bind(SQLValue.texts(texts).stored, at: 2) }
                try statement.run()
            }
            try database.execute("DROP TABLE \(staging)")
        } catch { throw Self.naming(error) }
    }

    private func insert(
        _ rows: some Sequence<[SQLValue]>, into table: SQLTable, at place: String,
        replacing isReplacing: Bool = false
    ) throws {
        let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ",")
        var statement = try database.prepare(
            "INSERT \(isReplacing ? "OR REPLACE " : "")INTO \(place) (\(table.columnList)) VALUES (\(marks))")
        for row in rows {
            for (number, value) in row.enumerated() { try statement.bind(value.stored, at: number + 1) }
            try statement.run()
        }
    }

    /// Returns the texts in a column of the rows of a person.
    func texts(_ column: String, in table: SQLTable, of person: String) throws -> [String] {
        do {
            var statement = try database.prepare("SELECT \(column) FROM \(table.name) WHERE person = ?")
            try Self.bind([person], &statement)
            var texts: [String] = []
            while try statement.step() {
                texts.append(String(decoding: statement.text(at: 0) ?? [], as: UTF8.self))
            }
            return texts
        } catch { throw Self.naming(error) }
    }

    /// Counts the rows.
    func analyze() throws {
        do {
            for table in tables.all { try database.execute("ANALYZE \(table.name)") }
        } catch { throw Self.naming(error) }
    }
}
