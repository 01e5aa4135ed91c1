import ByteText
import Database
import Tables
import Testing

@Suite("Tables in databases")
struct TableSQLTests {
    private struct Row {
        var count = 2
        var share: Double?
        var isLarge = true
        var day = CivilDate(daysSince1970: 1)
        var start: Timestamp? = Timestamp(seconds: 0, offsetMinutes: 60)
        var names = ["a", "b"]
        var values = [0.5, 1]
        var unit: String? = "m's"
    }

    private static var columns: [TableColumn<Row>] {
        [
            TableColumn("count") { $0.count }, TableColumn("share") { $0.share },
            TableColumn("isLarge") { $0.isLarge }, TableColumn("day") { $0.day },
            TableColumn("start") { $0.start }, TableColumn("names") { $0.names },
            TableColumn("list") { $0.values }, TableColumn("unit") { $0.unit },
        ]
    }

    private static let table = SQLTable(
        "things", key: ["start"], index: ["day"], "It's a table.",
        columns.map { SQLColumn($0.name, $0.sql.type, isRequired: $0.sql.isRequired, "A \($0.name).") })

    @Test("a value of each type has its form in SQLite")
    func values() {
        #expect(
            Self.columns.map { $0.sql.value(Row()) } == [
                .integer(2), .null, .flag(true), .day(CivilDate(daysSince1970: 1)),
                .instant(Timestamp(seconds: 0, offsetMinutes: 60)), .texts(["a", "b"]), .reals([0.5, 1]),
                .text("m's"),
            ])
        func text(_ text: String) -> DatabaseValue { .text(Array(text.utf8)) }
        #expect(
            Self.columns.map { $0.sql.value(Row()).stored } == [
                .integer(2), .null, .integer(1), text("1970-01-02"), text("1970-01-01T01:00:00+01:00"),
                text(#"["a","b"]"#), text("[0.5,1.0]"), text("m's"),
            ])
    }

    @Test("a table is declared with its comments: in SQLite in the text of the schema")
    func sqlite() throws {
        let statements = Self.table.definition(in: .sqlite, at: "things")
        let database = try Database(inMemory: [])
        for statement in statements { try database.execute(statement) }
        var schema = try database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'things'")
        #expect(try schema.step())
        #expect(
            schema.text(at: 0).map { String(decoding: $0, as: UTF8.self) } == """
                CREATE TABLE things (
                    -- It's a table.
                    count INTEGER NOT NULL, -- A count.
                    share REAL, -- A share.
                    isLarge INTEGER NOT NULL, -- A isLarge.
                    day TEXT NOT NULL, -- A day.
                    start TEXT NOT NULL, -- A start.
                    names TEXT NOT NULL, -- A names.
                    list TEXT NOT NULL, -- A list.
                    unit TEXT, -- A unit.
                    PRIMARY KEY (start)
                ) STRICT, WITHOUT ROWID
                """)
    }

    @Test("a table is declared with its comments: in PostgreSQL by statements")
    func postgreSQL() {
        let statements = Self.table.definition(in: .postgreSQL, at: "mine.things")
        #expect(
            statements[0] == """
                CREATE TABLE IF NOT EXISTS mine.things (
                    count bigint NOT NULL,
                    share double precision,
                    isLarge boolean NOT NULL,
                    day date NOT NULL,
                    start timestamptz NOT NULL,
                    names text[] NOT NULL,
                    list double precision[] NOT NULL,
                    unit text,
                    PRIMARY KEY (start)
                )
                """)
        #expect(statements[1] == "CREATE INDEX IF NOT EXISTS things_day ON mine.things (day)")
        #expect(statements[2] == "COMMENT ON TABLE mine.things IS 'It''s a table.'")
        #expect(statements[3] == "COMMENT ON COLUMN mine.things.count IS 'A count.'")
        #expect(statements.count == 11)
    }

    @Test("times before the year 1 are known, as PostgreSQL counts other years")
    func years() {
        let first = CivilDate(year: 1, month: 1, day: 1)?.daysSince1970 ?? 0
        for (days, isBefore) in [(first, false), (first - 1, true)] {
            #expect(SQLValue.day(CivilDate(daysSince1970: days)).isBeforeTheFirstYear == isBefore)
            let time = Timestamp(seconds: days * 86400, offsetMinutes: 0)
            #expect(SQLValue.instant(time).isBeforeTheFirstYear == isBefore)
        }
    }
}
