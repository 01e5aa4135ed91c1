public import ByteText
import CSQLite
import Glibc

/// A failed operation on a database, with SQLite's code for the reason.
///
/// SQLite's own message is left out on purpose, because it may quote values, names and SQL.
public struct DatabaseError: ClassifiedError, Equatable, Sendable {
    /// The operations that can fail.
    public enum Operation: Sendable, Equatable {
        /// Opening or creating the file.
        case open
        /// Executing SQL without values.
        case execute
        /// Preparing a statement.
        case prepare
        /// Binding a value to a statement.
        case bind
        /// Running a statement.
        case step
        /// Opening a blob for writing.
        case openBlob
        /// Writing to a blob.
        case writeBlob
        /// Closing a blob.
        case closeBlob
        /// Closing the connection.
        case close
        /// Setting the folder for temporary files.
        case setTemporaryFolder
    }

    /// What failed.
    public var operation: Operation
    /// SQLite's extended result code.
    public var code: Int32
    /// The system's error number (`errno`), or 0 if no system call on the file failed.
    public var systemNumber: Int32

    /// Creates an error from its parts.
    public init(_ operation: Operation, code: Int32, systemNumber: Int32 = 0) {
        self.operation = operation
        self.code = code
        self.systemNumber = systemNumber
    }

    /// Creates an error from what a connection has recorded about its last call.
    init(_ operation: Operation, code: Int32, connection: OpaquePointer?) {
        self.init(operation, code: code)
        // Other codes leave the number of an earlier error in place.
        if isDeviceFailure || primaryCode == SQLITE_CANTOPEN {
            systemNumber = unsafe sqlite3_system_errno(connection)
        }
    }

    /// SQLite's result code without the detail.
    private var primaryCode: Int32 { code & 0xff }

    /// Whether the file is not a database.
    public var isOtherFile: Bool { primaryCode == SQLITE_NOTADB }

    /// Whether the device, the quota or a limit on the size of the file is exhausted.
    public var isFull: Bool {
        primaryCode == SQLITE_FULL || isDeviceFailure && [ENOSPC, EDQUOT, EFBIG].contains(systemNumber)
    }
    /// Whether the system failed to read or write the file (`SQLITE_IOERR`).
    public var isDeviceFailure: Bool { primaryCode == SQLITE_IOERR }
    /// Whether the file to fill is not empty.
    public var isExisting: Bool { primaryCode == SQLITE_CANTOPEN && systemNumber == EEXIST }
    /// Whether another connection has the database locked.
    public var isLocked: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
    /// Whether the content of the database is damaged.
    public var isDamaged: Bool { primaryCode == SQLITE_CORRUPT }
    /// Whether a value breaks a constraint of its table.
    public var isConstraintViolation: Bool { primaryCode == SQLITE_CONSTRAINT }
}

extension DatabaseError: CustomStringConvertible {
    /// What it means.
    public var kind: ErrorKind {
        isFull ? .noSpace : isLocked ? .inUse : isDamaged ? .damaged : isExisting ? .targetExists : .failed
    }

    /// What happened, without any value, name or SQL: `cannot create or open the database: file exists`.
    public var description: String { "cannot \(attempt): \(reason)" }

    /// What was tried.
    private var attempt: String {
        switch operation {
        case .open: "create or open the database"
        case .execute: "run SQL on the database"
        case .prepare: "prepare a statement for the database"
        case .bind: "pass a value to the database"
        case .step: "run a statement on the database"
        case .openBlob: "open a blob in the database"
        case .writeBlob: "write a blob to the database"
        case .closeBlob: "close a blob in the database"
        case .close: "close the database"
        case .setTemporaryFolder: "use the folder for the database's temporary files"
        }
    }

    /// The system's reason, or SQLite's fixed text for the code.
    private var reason: String {
        if systemNumber != 0, let text = unsafe strerror(systemNumber) {
            return unsafe String(cString: text).lowercased()
        }
        guard let text = unsafe sqlite3_errstr(code) else { return "SQLite error \(code)" }
        return unsafe "\(String(cString: text)) (SQLite error \(code))"
    }
}
