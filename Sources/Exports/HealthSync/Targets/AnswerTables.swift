import ByteText
import HealthFormats
import HealthModel
import HealthQueries
import Tables

/// A table of answers: which columns of a question it has, and what they are in a database.
struct AnswerTable<Row> {
    let table: SQLTable
    private let values: [(Row) -> SQLValue]

    /// Makes a table of the columns of a question that are typed, as those for Arrow are.
    fileprivate init(
        _ name: String, key: [String], without left: Set<String> = [], isSorted: Bool = true,
        _ comment: String, _ columns: [TableColumn<Row>]
    ) {
        let columns = columns.filter { $0.forms.contains(.arrow) && !left.contains($0.name) }.map { column in
            (name: ColumnName.snakeCase(column.name), sql: column.sql)
        }
        values = columns.map(\.sql.value)
        table = SQLTable(
            name, key: key, isSorted: isSorted, comment,
            [SQLColumn("person", .text, HealthTables.comments["person"] ?? "")]
                + columns.map { name, sql in
                    SQLColumn(
                        name, sql.type, isRequired: sql.isRequired, HealthTables.comments[name] ?? "")
                })
    }

    /// Returns the values of a row.
    func row(_ row: Row, of person: String) -> [SQLValue] { [.text(person)] + values.map { $0(row) } }
}

/// The tables of answers.
enum AnswerTables: Sendable {
    static func dailyValues() -> AnswerTable<DailyTable.Row> {
        AnswerTable(
            "health_daily_values", key: ["type", "day", "person"],
            without: ["startDate", "endDate", "durationSeconds"],
            "The values of quantities by day; what several devices recorded at the same time counts once.",
            DailyTable.columns())
    }

    static func nights(_ days: Days) -> AnswerTable<SleepSession> {
        AnswerTable(
            "health_nights", key: ["start_date", "person"], "The sleep of each night.",
            SleepTable.columns(LocalTime(days: days), hasGaps: true))
    }

    static func workouts() -> AnswerTable<Workout> {
        AnswerTable("health_workouts", key: ["id", "person"], "The workouts.", WorkoutTable.columns())
    }

    static func electrocardiograms(_ days: Days) -> AnswerTable<ElectrocardiogramTable.Row> {
        AnswerTable(
            "health_electrocardiograms", key: ["file", "person"], isSorted: false,
            "The electrocardiograms, each with its voltages.",
            ElectrocardiogramTable.columns(LocalTime(days: days)))
    }
}

/// Rows of a person in a table of answers.
enum AnswerScope: Sendable {
    /// All.
    case all
    /// Those with one of some texts in a column.
    case only(String, [String])
    /// All others.
    case others(String, [String])

    /// The texts; nil for all rows.
    var texts: [String]? {
        switch self {
        case .all: nil
        case .only(_, let texts), .others(_, let texts): texts
        }
    }

    /// Returns the condition for the rows of person `$1` with these texts in `$2`.
    fileprivate func condition(in dialect: SQLDialect) -> String {
        switch self {
        case .all: "person = $1"
        case .only(let column, _): "person = $1 AND \(dialect.contains(column, in: "$2"))"
        case .others(let column, _): "person = $1 AND NOT (\(dialect.contains(column, in: "$2")))"
        }
    }
}

/// A database with tables of answers besides that of samples.
protocol AnswerTarget: TransactionalStore {
    /// Replaces the rows of a person in a scope, in the transaction that has begun; rows that are the same are not touched.
    ///
    /// - Throws: ``SyncError``, `unsuitable` if the database cannot store a row; nothing is replaced then.
    func replace(
        _ rows: [[SQLValue]], in table: SQLTable, of person: String, _ scope: AnswerScope
    ) async throws

    /// Returns the texts in a column of the rows of a person.
    func texts(_ column: String, in table: SQLTable, of person: String) async throws -> [String]

    /// Counts the rows of all tables for the planner of queries.
    func analyze() async throws
}

extension SQLTable {
    /// Returns the statements that replace the rows in a scope by those of a temporary table.
    ///
    /// - Parameters:
    ///   - place: The table, as statements name it.
    ///   - staging: The temporary table.
    func replacement(
        _ scope: AnswerScope, at place: String, from staging: String, in dialect: SQLDialect
    ) -> [String] {
        let condition = scope.condition(in: dialect)
        let key = key.joined(separator: ", ")
        return [
            """
            DELETE FROM \(place) WHERE (\(key)) IN (SELECT \(key) FROM (
                SELECT \(columnList) FROM \(place) WHERE \(condition) EXCEPT SELECT \(columnList) FROM \(staging)
            ) AS gone)
            """,
            """
            INSERT INTO \(place) (\(columnList))
            SELECT \(columnList) FROM \(staging) EXCEPT SELECT \(columnList) FROM \(place) WHERE \(condition)
            """,
        ]
    }
}
