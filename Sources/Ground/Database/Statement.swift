import CSQLite

/// A prepared statement, which can be run any number of times.
///
/// Values stay bound until others replace them. Parameters count from 1, columns from 0.
@safe public struct Statement: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    deinit { unsafe sqlite3_finalize(statement) }

    /// Binds NULL to a parameter.
    public mutating func bindNull(at index: Int) throws(DatabaseError) {
        try check(unsafe sqlite3_bind_null(statement, Int32(clamping: index)))
    }

    /// Binds an integer to a parameter.
    public mutating func bind(integer: Int, at index: Int) throws(DatabaseError) {
        try check(unsafe sqlite3_bind_int64(statement, Int32(clamping: index), Int64(integer)))
    }

    /// Binds a double to a parameter.
    ///
    /// SQLite stores NaN as NULL and, in a column of type REAL, -0.0 as 0.0; all other values are unchanged.
    public mutating func bind(real: Double, at index: Int) throws(DatabaseError) {
        try check(unsafe sqlite3_bind_double(statement, Int32(clamping: index), real))
    }

    /// Binds a copy of a text in UTF-8 to a parameter.
    ///
    /// SQLite does not check the encoding. It stores a NUL, but many of its functions treat it as the end.
    public mutating func bind(text: Span<UInt8>, at index: Int) throws(DatabaseError) {
        try check(
            unsafe text.withUnsafeBytes {
                unsafe csqlite_bind_text(
                    statement, Int32(clamping: index), $0.baseAddress, UInt64($0.count))
            })
    }

    /// Binds a copy of bytes to a parameter.
    public mutating func bind(blob: Span<UInt8>, at index: Int) throws(DatabaseError) {
        try check(
            unsafe blob.withUnsafeBytes {
                unsafe csqlite_bind_blob(
                    statement, Int32(clamping: index), $0.baseAddress, UInt64($0.count))
            })
    }

    /// Binds a blob of zeros, which a `BlobWriter` can fill, to a parameter.
    public mutating func bind(zeroBlob count: Int, at index: Int) throws(DatabaseError) {
        // A negative count becomes one that is too large, which SQLite refuses.
        let count = UInt64(bitPattern: Int64(count))
        try check(unsafe sqlite3_bind_zeroblob64(statement, Int32(clamping: index), count))
    }

    /// Binds a value to a parameter.
    public mutating func bind(_ value: DatabaseValue, at index: Int) throws(DatabaseError) {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let integer): try bind(integer: integer, at: index)
        case .real(let real): try bind(real: real, at: index)
        case .text(let text): try bind(text: text.span, at: index)
        case .blob(let blob): try bind(blob: blob.span, at: index)
        }
    }

    /// Runs a statement that returns no rows, and resets it.
    ///
    /// - Throws: An error, `SQLITE_MISUSE` if there is a row; the statement can be bound and run again.
    public mutating func run() throws(DatabaseError) {
        guard try !step() else {
            reset()
            throw DatabaseError(.step, code: SQLITE_MISUSE)
        }
    }

    /// Proceeds to the next row, and resets the statement if there is none.
    ///
    /// - Returns: Whether there is a row.
    /// - Throws: An error, after which the statement can be bound and run again.
    public mutating func step() throws(DatabaseError) -> Bool {
        let code = unsafe sqlite3_step(statement)
        guard code != SQLITE_ROW else { return true }
        guard code == SQLITE_DONE else {
            let error = failure(.step, code)
            reset()
            throw error
        }
        reset()
        return false
    }

    /// Makes the statement ready to be bound and run again; values stay bound.
    public mutating func reset() {
        // The result is that of the last step.
        _ = unsafe sqlite3_reset(statement)
    }

    private func check(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw failure(.bind, code) }
    }

    @inline(never)
    private func failure(_ operation: DatabaseError.Operation, _ code: Int32) -> DatabaseError {
        unsafe DatabaseError(operation, code: code, connection: sqlite3_db_handle(statement))
    }
}

/// Columns of the row that `step()` reached; a column is NULL if there is no row, or no such column.
extension Statement {
    /// Returns the integer in a column, or nil if it contains something else.
    public func integer(at column: Int) -> Int? {
        guard type(at: column) == SQLITE_INTEGER else { return nil }
        return Int(unsafe sqlite3_column_int64(statement, Int32(clamping: column)))
    }

    /// Returns the double in a column, or nil if it contains something else.
    public func real(at column: Int) -> Double? {
        guard type(at: column) == SQLITE_FLOAT else { return nil }
        return unsafe sqlite3_column_double(statement, Int32(clamping: column))
    }

    /// Returns the bytes of the text in a column, or nil if it contains something else.
    public func text(at column: Int) -> [UInt8]? {
        guard type(at: column) == SQLITE_TEXT else { return nil }
        let text = unsafe sqlite3_column_text(statement, Int32(clamping: column))
        return unsafe bytes(text, at: column)
    }

    /// Returns the bytes of the blob in a column, or nil if it contains something else.
    public func blob(at column: Int) -> [UInt8]? {
        guard type(at: column) == SQLITE_BLOB else { return nil }
        let blob = unsafe sqlite3_column_blob(statement, Int32(clamping: column))
        return unsafe bytes(blob, at: column)
    }

    /// Number of columns of each row.
    public var columnCount: Int { Int(unsafe sqlite3_column_count(statement)) }

    /// Returns the value in a column.
    public func value(at column: Int) -> DatabaseValue {
        if let integer = integer(at: column) { return .integer(integer) }
        if let real = real(at: column) { return .real(real) }
        if let text = text(at: column) { return .text(text) }
        if let blob = blob(at: column) { return .blob(blob) }
        return .null
    }

    private func type(at column: Int) -> Int32 {
        unsafe sqlite3_column_type(statement, Int32(clamping: column))
    }

    /// Returns a copy of bytes that SQLite owns until the next step.
    private func bytes(_ start: UnsafeRawPointer?, at column: Int) -> [UInt8] {
        let count = unsafe sqlite3_column_bytes(statement, Int32(clamping: column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
    }
}

@available(*, unavailable)
extension Statement: Sendable {}

/// A value of one of SQLite's five storage classes.
public enum DatabaseValue: Sendable, Equatable {
    /// NULL.
    case null
    /// A signed integer of 64 bits.
    case integer(Int)
    /// A double; never NaN, which SQLite stores as NULL.
    case real(Double)
    /// A text as bytes of UTF-8, which SQLite does not check.
    case text([UInt8])
    /// Bytes.
    case blob([UInt8])
}
