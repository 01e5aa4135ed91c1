import ByteText
import Database
public import HealthArchive
public import HealthModel
import SampleBatches
public import SystemIO

/// A table of samples in an SQLite database.
///
/// The database may have other tables; those of this target begin with `health_`. Each batch is one transaction together
/// with its anchors. The rows of each person have the name in the column `person`. While the target exists, no other one can use the same file.
public actor SQLiteTarget: TransactionalStore {
    /// The objects of the store.
    public typealias Object = SampleRecord

    private let lock: FileDescriptor
    private let database: Database
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
            if !isReadOnly {
                try database.execute("PRAGMA synchronous = FULL")
                let hasSamples = try Self.has(["health_sample"], database)
                try database.execute(Self.schema)
                // Someone has removed the table, so that nothing is there of what the anchors stand for.
                if !hasSamples { try database.execute(Self.forgetting) }
            }
            hasTables = try Self.has(["health_sample", "health_anchor", "health_person"], database)
            self.database = database
        } catch { throw Self.naming(error) }
        self.lock = lock
    }

    private static let schema = """
        BEGIN IMMEDIATE;
        CREATE TABLE IF NOT EXISTS health_sample (
            person TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, element TEXT NOT NULL,
            start_time TEXT, end_time TEXT, creation_time TEXT, start_seconds INTEGER, end_seconds INTEGER,
            value REAL, value_text TEXT, unit TEXT, source TEXT, source_version TEXT, device TEXT,
            attributes TEXT, content TEXT, PRIMARY KEY (person, id)
        ) STRICT;
        CREATE INDEX IF NOT EXISTS health_sample_type_start ON health_sample (type, start_seconds);
        CREATE TABLE IF NOT EXISTS health_anchor (
            person TEXT NOT NULL, identifier TEXT NOT NULL, element TEXT NOT NULL, type TEXT NOT NULL,
            span TEXT NOT NULL, page INTEGER NOT NULL, count INTEGER NOT NULL, sum TEXT NOT NULL,
            identities BLOB NOT NULL, PRIMARY KEY (person, element, type, span, page)
        ) STRICT;
        CREATE TABLE IF NOT EXISTS health_person (
            person TEXT PRIMARY KEY, export_seconds INTEGER, content TEXT
        ) STRICT;
        COMMIT;
        """
    private static let forgetting = """
        BEGIN IMMEDIATE;
        DELETE FROM health_anchor;
        DELETE FROM health_person;
        COMMIT;
        """

    private static func has(_ tables: [String], _ database: borrowing Database) throws -> Bool {
        var statement = try database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
        return try tables.allSatisfy { name in
            try statement.bind(.text(Array(name.utf8)), at: 1)
            defer { statement.reset() }
            return try statement.step()
        }
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
            var statement = try database.prepare("SELECT 1 FROM health_sample WHERE person = ? AND id = ?")
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
            var statement = try database.prepare(
                "INSERT OR REPLACE INTO health_sample VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
            for object in objects {
                guard let columns = SampleColumns(object) else { continue }
                try Self.bind([person], &statement)
                for (number, value) in columns.values.enumerated() {
                    try statement.bind(value, at: number + 2)
                }
                try statement.run()
            }
        } catch { throw Self.naming(error) }
    }

    /// Deletes records.
    public func delete(_ objects: [SampleRecord]) throws {
        do {
            var statement = try database.prepare("DELETE FROM health_sample WHERE person = ? AND id = ?")
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
                "SELECT person, export_seconds, content FROM health_person ORDER BY 1")
            var subjects: [Subject] = []
            while try statement.step() {
                subjects.append(
                    Subject(
                        String(decoding: statement.text(at: 0) ?? [], as: UTF8.self),
                        exportDate: statement.integer(at: 1),
                        content: statement.text(at: 2).map { String(decoding: $0, as: UTF8.self) }))
            }
            return subjects
        } catch { throw Self.naming(error) }
    }

    /// Saves a person.
    public func save(_ subject: Subject) throws {
        do {
            var statement = try database.prepare("INSERT OR REPLACE INTO health_person VALUES (?, ?, ?)")
            try Self.bind([subject.person], &statement)
            try statement.bind(subject.exportDate.map { .integer($0) } ?? .null, at: 2)
            try statement.bind(subject.content.map { .text(Array($0.utf8)) } ?? .null, at: 3)
            try statement.run()
        } catch { throw Self.naming(error) }
    }

    /// Returns the types that have pages.
    public func anchoredTypes(of person: String) throws -> [AnySampleType] {
        guard hasTables else { return [] }
        do {
            var statement = try database.prepare(
                "SELECT DISTINCT identifier FROM health_anchor WHERE person = ? ORDER BY 1")
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
                "SELECT element, type, span, page, count, sum FROM health_anchor WHERE person = ? AND identifier = ?"
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
                SELECT identities FROM health_anchor
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
                "DELETE FROM health_anchor WHERE person = ? AND element = ? AND type = ? AND span = ? AND page = ?"
            )
            var insertion = try database.prepare(
                """
                INSERT OR REPLACE INTO health_anchor
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
                "DELETE FROM health_anchor WHERE person = ? AND identifier = ?")
            for type in types {
                try Self.bind([person, type.identifier], &statement)
                try statement.run()
            }
        } catch { throw Self.naming(error) }
    }
}

extension SampleColumns {
    /// The values of the columns of the table, in order.
    fileprivate var values: [DatabaseValue] {
        func text(_ text: String?) -> DatabaseValue { text.map { .text(Array($0.utf8)) } ?? .null }
        func seconds(_ seconds: Int?) -> DatabaseValue { seconds.map { .integer($0) } ?? .null }
        return [
            text(id), text(type), text(element), text(start?.iso), text(end?.iso), text(creation?.iso),
            seconds(start?.seconds), seconds(end?.seconds), value.map { .real($0) } ?? .null,
            text(valueText), text(unit), text(source), text(sourceVersion), text(device), text(attributes),
            text(content),
        ]
    }
}
