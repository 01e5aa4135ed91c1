import ByteText
import Database
import SystemIO
import Tables

/// An SQLite database, of which this is the only user.
final class SQLiteSession: DatabaseSession {
    private let lock: FileDescriptor
    private let database: Database
    private let tables: HealthTables
    let hasTables: Bool

    /// Opens the database at a path, and creates the tables if they do not exist.
    init(_ path: BytePath, _ tables: HealthTables, isReadOnly: Bool) throws {
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
            let missing = try Self.missing(tables, database)
            for table in tables.all where !missing.contains(table.name) {
                // A table of someone else is told by its columns, before anything is written.
                guard (try? database.prepare("SELECT \(table.columnList) FROM \(table.name)")) != nil else {
                    throw SyncError(.othersTarget)
                }
            }
            if !isReadOnly {
                // Nothing of a person gets into another file.
                try database.execute("PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY")
                let made = tables.all.filter { missing.contains($0.name) }.flatMap {
                    $0.definition(in: .sqlite, at: $0.name)
                }
                let statements = made + tables.forgetting(missing) { $0.name }
                if !statements.isEmpty {
                    try database.execute(
                        "BEGIN IMMEDIATE;\n\(statements.joined(separator: ";\n"));\nCOMMIT")
                }
            }
            hasTables = !isReadOnly || missing.isEmpty
            self.database = database
        } catch let error as DatabaseError { throw Self.naming(error) }
        self.tables = tables
        self.lock = lock
    }

    /// Returns the names of the tables that do not exist.
    private static func missing(
        _ tables: HealthTables, _ database: borrowing Database
    ) throws(DatabaseError) -> Set<String> {
        var missing: Set<String> = []
        var statement = try database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
        for table in tables.all {
            try statement.bind(.text(Array(table.name.utf8)), at: 1)
            if try !statement.step() { missing.insert(table.name) }
            statement.reset()
        }
        return missing
    }

    /// Returns an error of the database without anything that was read or written.
    private static func naming(_ error: DatabaseError) -> SyncError {
        if error.isOtherFile { return SyncError(.foreignTarget) }
        if error.isFull { return SyncError(.targetFull) }
        if error.isLocked { return SyncError(.targetLocked) }
        return SyncError(
            error.isDamaged ? .targetDamaged(error.description) : .targetFailed(error.description))
    }

    var dialect: SQLDialect { .sqlite }
    var temporarySchema: String { "temp" }
    func place(of table: SQLTable) -> String { table.name }

    func run(_ sql: String, _ values: [SQLValue]) throws -> [[String]] {
        do throws(DatabaseError) {
            var statement = try database.prepare(sql)
            for (number, value) in values.enumerated() { try statement.bind(value.stored, at: number + 1) }
            var rows: [[String]] = []
            while try statement.step() {
                rows.append((0..<statement.columnCount).map { statement.value(at: $0).shown })
            }
            return rows
        } catch { throw Self.naming(error) }
    }

    func insert(_ rows: [[SQLValue]], into table: SQLTable, at place: String) throws {
        let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ",")
        do throws(DatabaseError) {
            var statement = try database.prepare(
                "INSERT OR REPLACE INTO \(place) (\(table.columnList)) VALUES (\(marks))")
            for row in rows {
                for (number, value) in row.enumerated() { try statement.bind(value.stored, at: number + 1) }
                try statement.run()
            }
        } catch { throw Self.naming(error) }
    }

    func add(_ records: [SampleRecord], of person: String) throws {
        var contents = SplitContents()
        // A few at a time: their columns take more memory than they do.
        for start in stride(from: 0, to: records.count, by: 256) {
            let rows = records[start..<min(start + 256, records.count)].compactMap {
                SampleColumns($0, &contents)?.values(of: person, in: .sqlite)
            }
            try insert(rows, into: tables.samples, at: tables.samples.name)
        }
    }

    func update(_ records: [SampleRecord], of person: String) throws { try add(records, of: person) }
}

extension DatabaseValue {
    /// The value as a text; empty for NULL.
    fileprivate var shown: String {
        switch self {
        case .null: ""
        case .integer(let integer): String(integer)
        case .real(let real): "\(real)"
        case .text(let bytes), .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }
}
