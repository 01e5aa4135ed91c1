import CSQLite
import Glibc

/// A connection to an SQLite database in a file.
///
/// A connection and its statements have no locks: use them on one thread at a time. Text in double quotes is always
/// an identifier, never a string.
@safe public struct Database: ~Copyable {
    private let connection: OpaquePointer

    /// The version of the SQLite library.
    public static var libraryVersion: String { unsafe String(cString: sqlite3_libversion()) }

    /// Opens an empty file to write a database to it.
    ///
    /// - Parameter path: The path, in bytes of any encoding, no part of which may be a symbolic link; never a URI,
    ///   nor a special name such as `:memory:`. SQLite limits the absolute path to about 500 bytes.
    /// - Throws: `isExisting` if the file is not empty.
    public init(filling path: [UInt8]) throws(DatabaseError) {
        let database = try unsafe Database(Self.open(path, SQLITE_OPEN_READWRITE))
        try database.requireEmpty()
        self = database
    }

    /// Opens an existing database for reading, without trusting its schema.
    ///
    /// - Parameter path: The path, as in ``init(filling:)``.
    public init(reading path: [UInt8]) throws(DatabaseError) {
        unsafe connection = try Self.open(path, SQLITE_OPEN_READONLY)
        distrust()
    }

    /// Opens an existing database, or an empty file, for reading and writing, without trusting its schema.
    ///
    /// Waits up to five seconds for another connection that is writing.
    ///
    /// - Parameter path: The path, as in ``init(filling:)``.
    public init(updating path: [UInt8]) throws(DatabaseError) {
        unsafe connection = try Self.open(path, SQLITE_OPEN_READWRITE)
        distrust()
        unsafe sqlite3_busy_timeout(connection, 5000)
    }

    /// Makes SQLite distrust the schema and the file, which others may have made.
    private func distrust() {
        unsafe csqlite_configure(connection, SQLITE_DBCONFIG_DEFENSIVE, 1)
        unsafe csqlite_configure(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    }

    /// Opens a database in memory, empty or with the content of a database file, whose schema is not trusted.
    ///
    /// Nothing of it reaches a file: temporary tables are in memory too.
    ///
    /// - Parameter content: The bytes of a database file; empty for a new database.
    public init(inMemory content: [UInt8]) throws(DatabaseError) {
        let database = try unsafe Database(Self.open(name: Array(":memory:".utf8), SQLITE_OPEN_READWRITE))
        database.distrust()
        if !content.isEmpty { try database.deserialize(content) }
        try database.execute("PRAGMA temp_store = MEMORY")
        self = database
    }

    /// Replaces the database in memory with the content of a database file.
    private func deserialize(_ content: [UInt8]) throws(DatabaseError) {
        guard let copy = unsafe sqlite3_malloc64(UInt64(content.count)) else {
            throw DatabaseError(.open, code: SQLITE_NOMEM)
        }
        unsafe UnsafeMutableRawBufferPointer(start: copy, count: content.count).copyBytes(from: content)
        // SQLite frees the copy, also if it fails.
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
        let code = unsafe sqlite3_deserialize(
            connection, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(content.count),
            Int64(content.count), flags)
        guard code == SQLITE_OK else {
            throw unsafe DatabaseError(.open, code: code, connection: connection)
        }
    }

    /// Returns the content of the database as the bytes of a database file.
    public func serialized() throws(DatabaseError) -> [UInt8] {
        var size: Int64 = 0
        guard let bytes = unsafe sqlite3_serialize(connection, "main", &size, 0) else {
            throw unsafe DatabaseError(.execute, code: SQLITE_NOMEM, connection: connection)
        }
        defer { unsafe sqlite3_free(bytes) }
        return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: Int(size)))
    }

    private init(_ connection: OpaquePointer) { unsafe self.connection = connection }

    // Remaining statements and blobs keep the connection open until they are closed.
    deinit { unsafe sqlite3_close_v2(connection) }

    /// Executes one or more statements without values, and ignores their rows.
    ///
    /// `BEGIN` and `COMMIT` enclose a transaction.
    public func execute(_ sql: String) throws(DatabaseError) {
        guard !sql.utf8.contains(0) else { throw DatabaseError(.execute, code: SQLITE_MISUSE) }
        let code = unsafe sql.withCString { unsafe sqlite3_exec(connection, $0, nil, nil, nil) }
        guard code == SQLITE_OK else {
            throw unsafe DatabaseError(.execute, code: code, connection: connection)
        }
    }

    /// Prepares exactly one statement, to be run any number of times.
    ///
    /// Values are bound to its parameters (`?`), which count from 1.
    public func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        guard !sql.utf8.contains(0) else { throw DatabaseError(.prepare, code: SQLITE_MISUSE) }
        var statement: OpaquePointer?
        let (code, isAlone) = unsafe sql.withCString { text in
            var rest: UnsafePointer<CChar>? = unsafe text
            let code = unsafe sqlite3_prepare_v3(
                connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &rest)
            let isAlone = unsafe rest.map {
                unsafe String(cString: $0).utf8.allSatisfy(Self.separators.contains)
            }
            return (code, isAlone ?? false)
        }
        guard code == SQLITE_OK else {
            throw unsafe DatabaseError(.prepare, code: code, connection: connection)
        }
        guard let statement = unsafe statement else { throw DatabaseError(.prepare, code: SQLITE_MISUSE) }
        let prepared = unsafe Statement(statement)
        guard isAlone else { throw DatabaseError(.prepare, code: SQLITE_MISUSE) }
        return prepared
    }

    /// Opens a blob of a row, to be written in pieces; its length is that of the bound `zeroBlob`.
    public func writeBlob(
        table: String, column: String, row: Int
    ) throws(DatabaseError) -> BlobWriter {
        var blob: OpaquePointer?
        let code = unsafe sqlite3_blob_open(connection, "main", table, column, Int64(row), 1, &blob)
        guard code == SQLITE_OK, let blob = unsafe blob else {
            throw unsafe DatabaseError(.openBlob, code: code, connection: connection)
        }
        return unsafe BlobWriter(blob, connection)
    }

    /// The row ID of the last insertion, or 0.
    public var lastInsertedRow: Int { Int(unsafe sqlite3_last_insert_rowid(connection)) }

    /// Closes the connection, and rolls back an open transaction.
    ///
    /// - Throws: `SQLITE_BUSY` if statements or blobs remain; the connection closes with the last one.
    public consuming func close() throws(DatabaseError) {
        let connection = unsafe connection
        discard self
        let code = unsafe sqlite3_close(connection)
        guard code != SQLITE_OK else { return }
        let error = unsafe DatabaseError(.close, code: code, connection: connection)
        unsafe sqlite3_close_v2(connection)
        throw error
    }

    private func requireEmpty() throws(DatabaseError) {
        var pages = try prepare("PRAGMA page_count")
        guard try pages.step(), pages.integer(at: 0) == 0 else {
            throw DatabaseError(.open, code: SQLITE_CANTOPEN, systemNumber: EEXIST)
        }
    }

    /// What may follow a single statement: white space and semicolons.
    private static let separators: [UInt8] = [0x09, 0x0a, 0x0d, 0x20, 0x3b]

    /// Returns a connection with the options that all connections share.
    private static func open(
        _ path: [UInt8], _ flags: Int32
    ) throws(DatabaseError) -> OpaquePointer {
        guard !path.isEmpty, !path.contains(0) else { throw DatabaseError(.open, code: SQLITE_MISUSE) }
        // Only a relative path can be ":memory:", or a URI, which Debian's SQLite accepts by default.
        return try unsafe open(name: path[0] == 0x2f ? path : [0x2e, 0x2f] + path, flags)
    }

    /// Returns a connection to what a name means to SQLite.
    private static func open(
        name: [UInt8], _ flags: Int32
    ) throws(DatabaseError) -> OpaquePointer {
        let name = name + [0]
        let flags = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        var connection: OpaquePointer?
        var code = unsafe name.span.withUnsafeBytes { name in
            unsafe sqlite3_open_v2(
                name.assumingMemoryBound(to: CChar.self).baseAddress, &connection, flags, nil)
        }
        if let connection = unsafe connection { unsafe sqlite3_extended_result_codes(connection, 1) }
        for option in [SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML] where code == SQLITE_OK {
            code = unsafe csqlite_configure(connection, option, 0)
        }
        if code == SQLITE_OK, let connection = unsafe connection { return unsafe connection }
        if unsafe connection != nil { code = unsafe sqlite3_extended_errcode(connection) }
        let error = unsafe DatabaseError(.open, code: code, connection: connection)
        unsafe sqlite3_close(connection)
        throw error
    }
}

@available(*, unavailable)
extension Database: Sendable {}
