package import ByteText
package import Database
import HealthFormats

/// The dialects of SQL that tables are declared in.
package enum SQLDialect: Sendable {
    /// That of SQLite.
    case sqlite
    /// That of PostgreSQL.
    case postgreSQL
}

/// The types of columns.
package enum SQLType: Sendable {
    /// A text.
    case text
    /// A text that is compared byte by byte.
    case identifier
    /// An integer of 64 bits.
    case integer
    /// A double.
    case real
    /// A truth value; 0 or 1 in SQLite.
    case flag
    /// A day; `2024-05-01` in SQLite.
    case day
    /// An instant; in SQLite a text with its offset, `2024-05-01T08:15:00+02:00`.
    case instant
    /// Texts; a JSON array in SQLite.
    case texts
    /// Numbers; a JSON array in SQLite.
    case reals
    /// A JSON object.
    case object
    /// Bytes.
    case bytes

    func name(in dialect: SQLDialect) -> String {
        let names =
            switch self {
            case .text: ("TEXT", "text")
            case .identifier: ("TEXT", "text COLLATE \"C\"")
            case .integer: ("INTEGER", "bigint")
            case .real: ("REAL", "double precision")
            case .flag: ("INTEGER", "boolean")
            case .day: ("TEXT", "date")
            case .instant: ("TEXT", "timestamptz")
            case .texts: ("TEXT", "text[]")
            case .reals: ("TEXT", "double precision[]")
            case .object: ("TEXT", "jsonb")
            case .bytes: ("BLOB", "bytea")
            }
        return dialect == .sqlite ? names.0 : names.1
    }
}

/// A column of a table in a database.
package struct SQLColumn: Sendable {
    /// The name in snake case.
    package let name: String
    let type: SQLType
    let isRequired: Bool
    /// What it has, in a sentence.
    let comment: String

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - name: The name in snake case.
    ///   - type: The type.
    ///   - isRequired: Whether each row has a value.
    ///   - comment: What it has, in a sentence.
    package init(_ name: String, _ type: SQLType, isRequired: Bool = false, _ comment: String) {
        (self.name, self.type, self.isRequired, self.comment) = (name, type, isRequired, comment)
    }
}

/// The declaration of a table in a database.
package struct SQLTable: Sendable {
    /// The name.
    package let name: String
    /// What its rows are, in a sentence.
    private let comment: String
    /// The columns in their order.
    package let columns: [SQLColumn]
    /// The columns of the primary key.
    package let key: [String]
    /// The columns of an index besides; empty for none.
    private let index: [String]
    /// Whether SQLite keeps the rows in the order of the key, which suits small ones.
    private let isSorted: Bool

    /// Declares a table.
    package init(
        _ name: String, key: [String], index: [String] = [], isSorted: Bool = true, _ comment: String,
        _ columns: [SQLColumn]
    ) {
        (self.name, self.comment, self.columns) = (name, comment, columns)
        (self.key, self.index, self.isSorted) = (key, index, isSorted)
    }

    /// The names of all columns, separated by commas.
    package var columnList: String { columns.map(\.name).joined(separator: ", ") }

    /// The end of an insertion that replaces rows with the same key.
    package var replacing: String {
        let changes = columns.map(\.name).filter { !key.contains($0) }.map { "\($0) = EXCLUDED.\($0)" }
        return """
            ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(changes.joined(separator: ", "))
            """
    }

    /// Returns the statement that inserts rows, or replaces those with the same keys, of parameters `$1`, `$2`, ...
    package func insertion(of rows: Int, at place: String) -> String {
        let marks = (0..<rows).map { row in
            "(" + columns.indices.map { "$\(row * columns.count + $0 + 1)" }.joined(separator: ", ") + ")"
        }
        return "INSERT INTO \(place) (\(columnList)) VALUES \(marks.joined(separator: ", ")) \(replacing)"
    }

    /// Returns the statements that make the table, if it does not exist, with its comments, which SQLite keeps in the schema.
    ///
    /// - Parameter place: The name of the table as statements have it, with its schema in PostgreSQL.
    package func definition(in dialect: SQLDialect, at place: String) -> [String] {
        var lines = dialect == .sqlite ? ["-- \(comment)"] : []
        lines += columns.map { column in
            let isRequired = column.isRequired || key.contains(column.name)
            let line = "\(column.name) \(column.type.name(in: dialect))\(isRequired ? " NOT NULL" : ""),"
            return dialect == .sqlite ? "\(line) -- \(column.comment)" : line
        }
        lines.append("PRIMARY KEY (\(key.joined(separator: ", ")))")
        let end = dialect == .postgreSQL ? "" : isSorted ? " STRICT, WITHOUT ROWID" : " STRICT"
        var statements = [
            "CREATE TABLE IF NOT EXISTS \(place) (\n" + lines.map { "    \($0)\n" }.joined() + ")\(end)"
        ]
        if !index.isEmpty {
            let name = ([name] + index).joined(separator: "_")
            statements.append(
                "CREATE INDEX IF NOT EXISTS \(name) ON \(place) (\(index.joined(separator: ", ")))")
        }
        guard dialect == .postgreSQL else { return statements }
        func quoted(_ text: String) -> String {
            "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
        }
        statements.append("COMMENT ON TABLE \(place) IS \(quoted(comment))")
        return statements
            + columns.map { "COMMENT ON COLUMN \(place).\($0.name) IS \(quoted($0.comment))" }
    }
}

/// A value of a column.
package enum SQLValue: Sendable, Equatable {
    case null
    case text(String)
    case integer(Int)
    case real(Double)
    case flag(Bool)
    case day(CivilDate)
    case instant(Timestamp)
    case texts([String])
    case reals([Double])
    /// A JSON object.
    case object(String)
    case bytes([UInt8])

    /// The value as SQLite stores it.
    package var stored: DatabaseValue {
        switch self {
        case .null: .null
        case .text(let text), .object(let text): .text(Array(text.utf8))
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .flag(let flag): .integer(flag ? 1 : 0)
        case .day(let day): .text(Array(day.description.utf8))
        case .instant(let time): .text(Array(time.iso.utf8))
        case .texts(let texts): Self.array(texts) { $1.string($0) }
        case .reals(let reals): Self.array(reals) { $1.raw(Array("\($0)".utf8).span) }
        case .bytes(let bytes): .blob(bytes)
        }
    }

    private static func array<Element>(
        _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
    ) -> DatabaseValue {
        var writer = JSONWriter()
        writer.array { writer in for element in elements { write(element, &writer) } }
        return .text(writer.bytes)
    }

    /// Whether it is of a time that PostgreSQL has not: before the year 1, it counts other years.
    package var isBeforeTheFirstYear: Bool {
        switch self {
        case .day(let day): day.year < 1
        case .instant(let time): CivilDate(daysSince1970: time.seconds.flooredQuotient(by: 86400)).year < 1
        default: false
        }
    }
}

extension TableColumn {
    /// Its type, whether each row has a value, and the function that returns that: integers, truth values, days
    /// and lists are in all rows.
    package var sql: (type: SQLType, isRequired: Bool, value: (Row) -> SQLValue) {
        func optional<Cell>(
            _ type: SQLType, _ value: @escaping (Row) -> Cell?, _ make: @escaping (Cell) -> SQLValue
        ) -> (SQLType, Bool, (Row) -> SQLValue) {
            (type, false, { value($0).map(make) ?? .null })
        }
        return switch function {
        case let value as (Row) -> Int?: (.integer, true, { .integer(value($0) ?? 0) })
        case let value as (Row) -> Double?: optional(.real, value) { .real($0) }
        case let value as (Row) -> Bool?: (.flag, true, { .flag(value($0) ?? false) })
        case let value as (Row) -> Timestamp?: optional(.instant, value) { .instant($0) }
        case let value as (Row) -> CivilDate?:
            (.day, true, { .day(value($0) ?? CivilDate(daysSince1970: 0)) })
        case let value as (Row) -> [String]?: (.texts, true, { .texts(value($0) ?? []) })
        case let value as (Row) -> [Double]?: (.reals, true, { .reals(value($0) ?? []) })
        default: (.text, false, { value($0).map { .text($0.cellText) } ?? .null })
        }
    }
}
