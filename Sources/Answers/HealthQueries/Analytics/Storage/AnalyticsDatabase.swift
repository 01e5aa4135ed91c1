import ByteText
import Database

/// The tables of a database of analytics, in memory.
struct AnalyticsDatabase: ~Copyable {
    private let database: Database

    /// The bytes that a file of SQLite starts with.
    static let fileStart = Array("SQLite format 3\0".utf8)
    /// The application identifier in the header of the file: `hvan`.
    private static let application = 0x6876_616e
    private static let version = 1

    /// Creates empty tables.
    init() throws {
        let database = try Database(inMemory: [])
        try database.execute(Self.schema)
        try database.execute(
            "PRAGMA application_id = \(Self.application); PRAGMA user_version = \(Self.version)")
        self.database = database
    }

    /// What is wrong with a file.
    enum Problem: Error {
        case foreign
        case newer
    }

    /// Opens tables that were written before.
    init(_ bytes: [UInt8]) throws {
        guard bytes.starts(with: Self.fileStart) else { throw Problem.foreign }
        let database = try Database(inMemory: bytes)
        guard try Self.integer("PRAGMA application_id", database) == Self.application else {
            throw Problem.foreign
        }
        guard try Self.integer("PRAGMA user_version", database) == Self.version else { throw Problem.newer }
        self.database = database
    }

    private static func integer(_ sql: String, _ database: borrowing Database) throws -> Int? {
        var statement = try database.prepare(sql)
        return try statement.step() ? statement.integer(at: 0) : nil
    }

    /// Returns the bytes of the file.
    func bytes() throws -> [UInt8] { try database.serialized() }

    /// Runs changes as one transaction.
    func change<Result>(_ body: () throws -> Result) throws -> Result {
        try database.execute("BEGIN")
        do {
            let result = try body()
            try database.execute("COMMIT")
            return result
        } catch {
            try? database.execute("ROLLBACK")
            throw error
        }
    }

    /// Prepares a statement, to be run any number of times.
    func prepare(_ sql: String) throws -> Statement { try database.prepare(sql) }

    /// Runs a statement that returns no rows once.
    func run(_ sql: String, _ values: [DatabaseValue]) throws {
        var statement = try database.prepare(sql)
        try statement.run(values)
    }

    /// Calls `body` with each row of a query.
    func query(_ sql: String, _ values: [DatabaseValue] = [], _ body: ([DatabaseValue]) throws -> Void) throws
    {
        var statement = try database.prepare(sql)
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
        let columns = statement.columnCount
        while try statement.step() { try body((0..<columns).map { statement.value(at: $0) }) }
    }

    private static let schema = """
        CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE users (
            userID TEXT PRIMARY KEY, birthdate TEXT, lastProcessedAt TEXT NOT NULL, firstInit TEXT NOT NULL,
            firstHealthKitRecord TEXT NOT NULL, receivesNotifications INTEGER NOT NULL,
            healthkitAuthorized INTEGER NOT NULL, usesMetric INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE sources (id INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);
        CREATE TABLE periods (
            period TEXT NOT NULL, startDate TEXT NOT NULL, endDate TEXT NOT NULL, recordedAt TEXT NOT NULL,
            PRIMARY KEY (period, startDate)) WITHOUT ROWID;
        CREATE TABLE amounts (
            period TEXT NOT NULL, startDate TEXT NOT NULL, metric TEXT NOT NULL, value REAL NOT NULL,
            n INTEGER NOT NULL, days INTEGER NOT NULL, coveredSeconds INTEGER, source INTEGER NOT NULL,
            PRIMARY KEY (period, startDate, metric)) WITHOUT ROWID;
        \(view("daily", "day")) \(view("weekly", "week")) \(view("monthly", "month")) \(view("yearly", "year"))
        """

    /// Returns the view with a column for each metric.
    private static func view(_ name: String, _ period: String) -> String {
        let columns = Metric.allCases.map {
            "max(CASE metric WHEN '\($0.rawValue)' THEN value END) AS \($0.rawValue)"
        }.joined(separator: ", ")
        return """
            CREATE VIEW \(name) AS SELECT startDate, endDate, \(columns), recordedAt
            FROM periods JOIN amounts USING (period, startDate) WHERE period = '\(period)'
            GROUP BY startDate;
            """
    }
}

extension Statement {
    /// Runs a statement that returns no rows with some values.
    mutating func run(_ values: [DatabaseValue]) throws {
        for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
        try run()
    }
}

extension DatabaseValue {
    /// A text.
    static func text(_ text: String) -> DatabaseValue { .text(Array(text.utf8)) }

    /// The text; nil if it is something else.
    var string: String? {
        if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
    /// The integer; nil if it is something else.
    var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    /// The count of samples, days or seconds; nil if it is something else, or so large that sums of them might overflow.
    var count: Int? { integer.flatMap { (0...1 << 40).contains($0) ? $0 : nil } }
    /// The number; nil if it is something else.
    var number: Double? {
        switch self {
        case .real(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }
    /// The instant; nil if it is something else.
    var instant: Timestamp? { string.flatMap { Timestamp(iso: Array($0.utf8).span) } }
    /// The day; nil if it is something else.
    var day: CivilDate? { string.flatMap { CivilDate(Array($0.utf8).span) } }
}
