public import ByteText
import CPostgreSQL
import Glibc

/// A connection to a PostgreSQL server by libpq, which is loaded with the first connection.
///
/// Errors contain no text of the server, which may quote values, but its code for the reason (SQLSTATE). A connection
/// has no locks: use it on one thread at a time.
@safe public struct PostgreSQLConnection: ~Copyable {
    private let connection: OpaquePointer

    /// Returns whether a connection string has a password in it, where other users of the computer could see it.
    ///
    /// - Throws: `missingLibrary`; `badLocation`.
    public static func hasPassword(_ text: String) throws(PostgreSQLError) -> Bool {
        guard cpostgresql_load() else { throw .missingLibrary }
        guard unsafe !text.utf8.contains(0) && cpostgresql_can_parse(text) else { throw .badLocation }
        return unsafe cpostgresql_has_option(text, "password") || cpostgresql_has_option(text, "sslpassword")
    }

    /// Connects to a server.
    ///
    /// To another computer, the connection is encrypted unless the connection string, its service or the environment says
    /// otherwise (`sslmode`).
    ///
    /// - Parameter text: A connection string that can be parsed, see ``hasPassword(_:)``, such as
    ///   `postgresql://db.example/health?sslmode=verify-full`.
    public init(_ text: String) throws(PostgreSQLError) {
        guard cpostgresql_load() else { throw .missingLibrary }
        let connection = unsafe cpostgresql_connect(text, Self.needsEncryption(text) ? "require" : nil)
        guard let connection = unsafe connection else { throw .unreachable("out of memory") }
        guard unsafe cpostgresql_is_connected(connection) else {
            let state = unsafe String(cString: cpostgresql_connection_state(connection))
            let error: PostgreSQLError =
                unsafe cpostgresql_is_refused(connection)
                ? .refused
                : state.isEmpty
                    ? .unreachable(String(cString: cpostgresql_reason(connection))) : .failed(state: state)
            unsafe cpostgresql_close(connection)
            throw error
        }
        unsafe self.connection = connection
    }

    deinit { unsafe cpostgresql_close(connection) }

    /// Returns whether a connection string leads to another computer, and nothing says whether to encrypt.
    private static func needsEncryption(_ text: String) -> Bool {
        // libpq's default, with which a server without encryption is sent everything in the clear.
        guard unsafe !cpostgresql_has_option(text, "sslmode"), resolved("sslmode", of: text) == "prefer"
        else { return false }
        let address = resolved("hostaddr", of: text)
        let hosts = address.isEmpty ? resolved("host", of: text) : address
        return !hosts.split(separator: ",").allSatisfy { host in
            host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "127.0.0.1", "::1"].contains(host)
        }
    }

    /// Returns the value of an option as libpq sees it; empty if there is none.
    private static func resolved(_ option: String, of text: String) -> String {
        guard let value = unsafe cpostgresql_resolve(text, option) else { return "" }
        defer { unsafe free(value) }
        return unsafe String(cString: value)
    }

    /// Runs a statement, and returns its rows as text.
    ///
    /// - Parameter values: The values of the parameters `$1`, `$2`, ... as text; nil for NULL.
    @discardableResult
    public func run(_ sql: String, _ values: [String?] = []) throws(PostgreSQLError) -> [[String]] {
        let result = unsafe execute(sql, values)
        defer { unsafe cpostgresql_free(result) }
        let status = unsafe Int(cpostgresql_status(result))
        guard status == CPOSTGRESQL_DONE || status == CPOSTGRESQL_ROWS else {
            throw unsafe Self.error(result)
        }
        let columns = status == CPOSTGRESQL_ROWS ? Int(unsafe cpostgresql_column_count(result)) : 0
        let count = unsafe Int(cpostgresql_row_count(result))
        return (0..<count).map { row in
            (0..<columns).map { column in
                let bytes = unsafe UnsafeRawBufferPointer(
                    start: cpostgresql_value(result, Int32(row), Int32(column)),
                    count: Int(cpostgresql_value_length(result, Int32(row), Int32(column))))
                return unsafe String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    /// Returns the result of a statement, which must be freed.
    private func execute(_ sql: String, _ values: [String?]) -> OpaquePointer? {
        // A text with a NUL would end there, and be another one.
        let texts = unsafe values.map { text in
            unsafe text.flatMap { unsafe strdup($0.utf8.contains(0) ? Self.withoutNULs($0) : $0) }
        }
        defer { unsafe texts.forEach { unsafe free($0) } }
        let pointers = unsafe texts.map { unsafe UnsafePointer<CChar>($0) }
        return unsafe cpostgresql_run(connection, sql, Int32(values.count), pointers)
    }

    /// Returns a text with U+FFFD in place of each NUL.
    private static func withoutNULs(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{fffd}" : $0 }))
    }

    /// Copies rows in COPY's text format into a table; the server reads some while the next ones are made.
    ///
    /// - Parameters:
    ///   - sql: The statement, `COPY ... FROM STDIN`.
    ///   - append: Appends further rows, each with a line end; returns false if there are none.
    public func copy(
        _ sql: String, _ append: (inout [UInt8]) -> Bool
    ) throws(PostgreSQLError) {
        let begun = unsafe execute(sql, [])
        defer { unsafe cpostgresql_free(begun) }
        guard unsafe Int(cpostgresql_status(begun)) == CPOSTGRESQL_COPY_IN else {
            throw unsafe Self.error(begun)
        }
        var rows: [UInt8] = []
        while append(&rows) {
            try send(rows.span)
            rows.removeAll(keepingCapacity: true)
        }
        let result = unsafe cpostgresql_end_copy(connection)
        defer { unsafe cpostgresql_free(result) }
        guard unsafe Int(cpostgresql_status(result)) == CPOSTGRESQL_DONE else {
            throw unsafe Self.error(result)
        }
    }

    /// Sends rows in pieces, because libpq counts bytes in 32 bits.
    private func send(_ rows: Span<UInt8>) throws(PostgreSQLError) {
        var start = 0
        while start < rows.count {
            let end = min(start + 1 << 16, rows.count)
            let isSent = unsafe rows.extracting(start..<end).withUnsafeBytes {
                unsafe cpostgresql_send(connection, $0.baseAddress, $0.count)
            }
            guard isSent else { throw .failed(state: "") }
            start = end
        }
    }

    private static func error(_ result: OpaquePointer?) -> PostgreSQLError {
        unsafe .failed(state: String(cString: cpostgresql_state(result)))
    }
}

@available(*, unavailable)
extension PostgreSQLConnection: Sendable {}

/// A failure of a PostgreSQL server, or of the connection to it.
public enum PostgreSQLError: ClassifiedError, Sendable, Equatable {
    /// libpq is not installed.
    case missingLibrary
    /// The text is not a connection string.
    case badLocation
    /// No connection; the text is libpq's, which names server and user.
    case unreachable(String)
    /// The server asked for a password, or refused the one it was given.
    case refused
    /// A statement failed with this SQLSTATE, which is empty if the connection was lost.
    case failed(state: String)
}

extension PostgreSQLError {
    /// What it means.
    public var kind: ErrorKind {
        switch self {
        case .unreachable: .tryLater
        case .badLocation: .usage
        case .missingLibrary, .refused, .failed: .failed
        }
    }
}
