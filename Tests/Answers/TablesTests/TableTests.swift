import ByteText
import SystemIO
import Tables
import Testing

@Suite("Tables")
struct TableTests {
    private struct Row {
        var name: String
        var count: Int
        var share: Double?
        var change: Double?
    }

    private static var columns: [TableColumn<Row>] {
        [
            TableColumn("name") { $0.name }, TableColumn("count", in: [.csv, .json]) { $0.count },
            TableColumn("share", shown: { "\(NumberText.rounded($0 * 100, digits: 0)) %" }) { $0.share },
            TableColumn("change", in: .json, isNullable: true) { $0.change },
            TableColumn("isLarge", in: .json) { $0.count > 5 },
            TableColumn("large", in: [.text, .csv]) { $0.count > 5 },
        ]
    }

    private let table = Table(
        "rows", [Row(name: "a\u{1b}", count: 9, share: 0.5, change: 1), Row(name: "-b", count: 1)],
        Self.columns)

    @Test("a form has its own columns in their order")
    func forms() {
        #expect(table.columns(in: .text).map(\.name) == ["name", "share", "large"])
        #expect(String(decoding: table.csvTitle, as: UTF8.self) == "name,count,share,large")
    }

    @Test("a missing value is an empty cell, and in JSON no member, or null if the column says so")
    func missing() {
        let rows = Array(table.rows)
        #expect(rows.map { String(decoding: table.csvLine($0), as: UTF8.self) }[1] == "'-b,1,,no")
        #expect(
            rows.map { table.object($0).cellText }[1]
                == #"{"name":"-b","count":1,"change":null,"isLarge":false}"#)
        #expect(table.columns(in: .text).map { $0.text(rows[1]).text } == ["-b", "", "no"])
    }

    @Test("text escapes what could control a terminal, and shows values in the form for people")
    func text() {
        let first = Array(table.rows)[0]
        let cells = table.columns(in: .text).map { $0.text(first).text }
        #expect(cells[0] == TerminalText(escaping: "a\u{1b}").text && cells[0] != first.name)
        #expect(cells[1] == "50 %")
    }

    @Test("values of each type have their forms")
    func cells() {
        let cells: [any TableCell] = [
            "x", 1, 0.1 + 0.2, true, Timestamp(seconds: 0, offsetMinutes: 60), CivilDate(daysSince1970: 0),
            ["a", "b"], FixedNumber(0.25, digits: 4), BytePath("file"),
            JSONToken(written: "1.50"), JSONToken(written: "01"), JSONToken(Array("[1]".utf8)),
        ]
        #expect(
            cells.map(\.cellText) == [
                "x", "1", "0.3", "yes", "1970-01-01T01:00:00+01:00", "1970-01-01", "a; b", "0.25", "file",
                "1.50", "01", "[1]",
            ])
        let object = TableObject(cells.enumerated().map { ("\($0.offset)", $0.element) })
        #expect(
            object.cellText == """
                {"0":"x","1":1,"2":0.3,"3":true,"4":"1970-01-01T01:00:00+01:00","5":"1970-01-01","6":["a","b"],\
                "7":0.2500,"8":"file","9":1.50,"10":"01","11":[1]}
                """)
        #expect(cells.map { type(of: $0).isNumber }.filter(\.self).count == 2)
    }
}
