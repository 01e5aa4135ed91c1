import Database
import Glibc
import Testing

@Suite("Errors of a database")
struct DatabaseErrorTests {
    @Test("say that it is full, in the statement that does not fit")
    func full() throws {
        let database = try Scratch.database()
        try database.execute("CREATE TABLE entry (content BLOB); PRAGMA max_page_count = 20")
        var insertion = try database.prepare("INSERT INTO entry VALUES (zeroblob(?))")
        try insertion.bind(integer: 1_000_000, at: 1)
        let error = #expect(throws: DatabaseError.self) { try insertion.run() }
        #expect(error == DatabaseError(.step, code: 13) && error?.isFull == true)
        try insertion.bind(integer: 1000, at: 1)
        try insertion.run()
        #expect(try Scratch.column("SELECT count(*) FROM entry", in: database) == [.integer(1)])
    }

    @Test("say that it is full for a quota and a limit on the size of a file, too")
    func quota() {
        let error = DatabaseError(.step, code: 778, systemNumber: EDQUOT)
        #expect(error.isFull && error.isDeviceFailure, "SQLITE_IOERR_WRITE")
        #expect(!DatabaseError(.step, code: 778, systemNumber: EIO).isFull)
        #expect(!DatabaseError(.step, code: 14, systemNumber: ENOSPC).isFull, "SQLITE_CANTOPEN")
    }

    @Test("have neither values nor names nor SQL in them, and leave the statement usable")
    func constraints() throws {
        let database = try Scratch.database()
        try database.execute(
            """
            CREATE TABLE secret
                (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, share REAL CHECK (share < 1)) STRICT;
            INSERT INTO secret VALUES (1, 'secret', 0.5)
            """)
        var insertion = try database.prepare("INSERT INTO secret VALUES (?, ?, ?)")
        // SQLITE_CONSTRAINT with PRIMARYKEY, UNIQUE, NOTNULL, CHECK and DATATYPE.
        let violations: [([DatabaseValue], Int32)] = [
            ([.integer(1), .text(Array("other".utf8)), .null], 1555),
            ([.integer(2), .text(Array("secret".utf8)), .null], 2067),
            ([.integer(3), .null, .null], 1299),
            ([.integer(4), .text(Array("other".utf8)), .real(987_654)], 275),
            ([.integer(5), .text(Array("other".utf8)), .text(Array("secret".utf8))], 3091),
        ]
        for (values, code) in violations {
            for (place, value) in values.enumerated() { try insertion.bind(value, at: place + 1) }
            let error = #expect(throws: DatabaseError.self) { try insertion.run() }
            #expect(error == DatabaseError(.step, code: code) && error?.isConstraintViolation == true)
            #expect(
                error?.description
                    == "cannot run a statement on the database: constraint failed (SQLite error \(code))")
        }
        try insertion.bind(integer: 6, at: 1)
        try insertion.bind(text: Array("other".utf8).span, at: 2)
        try insertion.bind(real: 0.25, at: 3)
        try insertion.run()
        #expect(
            try Scratch.column("SELECT id FROM secret ORDER BY id", in: database) == [
                .integer(1), .integer(6),
            ])
    }

    @Test(
        "come from SQL that is not exactly one statement",
        arguments: ["", " ", "-- nothing", "SELECT 1; SELECT 2", "SELEC 1", "SELECT \"text\"", "SELECT 1\0"])
    func statements(sql: String) throws {
        let database = try Scratch.database()
        let error = #expect(throws: DatabaseError.self) { _ = try database.prepare(sql) }
        #expect(error?.operation == .prepare && error?.systemNumber == 0)
    }

    @Test("come from a string in double quotes in a schema")
    func quotes() throws {
        let database = try Scratch.database()
        #expect(throws: DatabaseError.self) {
            try database.execute("CREATE TABLE entry (id INTEGER CHECK (id <> \"text\"))")
        }
    }

    @Test("come from rows where none are expected, and from values while there are rows")
    func rows() throws {
        let database = try Scratch.database()
        var query = try database.prepare("SELECT ? UNION ALL SELECT 2;\n")
        #expect(throws: DatabaseError(.step, code: 21)) { try query.run() }
        let isRow = try query.step()
        #expect(isRow)
        #expect(throws: DatabaseError(.bind, code: 21)) { try query.bind(integer: 1, at: 1) }
        query.reset()
        try query.bind(integer: 1, at: 1)
        var values: [Int?] = []
        while try query.step() { values.append(query.integer(at: 0)) }
        #expect(values == [1, 2])
    }

    @Test("come from closing a database with statements, which still work")
    func closing() throws {
        let database = try Scratch.database()
        var query = try database.prepare("SELECT 1")
        var error: DatabaseError?
        do throws(DatabaseError) { try database.close() } catch let caught { error = caught }
        #expect(error == DatabaseError(.close, code: 5), "SQLITE_BUSY")
        let isRow = try query.step()
        #expect(isRow && query.integer(at: 0) == 1)
    }

    @Test("do not come from a transaction that is rolled back")
    func transactions() throws {
        let database = try Scratch.database()
        try database.execute("CREATE TABLE entry (id INTEGER); BEGIN; INSERT INTO entry VALUES (1); ROLLBACK")
        try database.execute("BEGIN; INSERT INTO entry VALUES (2); COMMIT")
        #expect(try Scratch.column("SELECT id FROM entry", in: database) == [.integer(2)])
    }
}
