import Database

/// The statements that insert rows into the tables of elements.
struct ElementStatements: ~Copyable {
    /// A box for a statement, because an array cannot store noncopyable values.
    private final class Insertion {
        var statement: Statement

        init(_ statement: consuming Statement) { self.statement = statement }
    }

    private let insertions: [Insertion]

    init(_ database: borrowing Database) throws {
        var insertions: [Insertion] = []
        for table in ElementTable.all {
            let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ",")
            insertions.append(
                Insertion(try database.prepare("INSERT INTO \(table.name) VALUES (\(marks))")))
        }
        self.insertions = insertions
    }

    mutating func add(
        _ row: DatabaseRows.ElementRow, _ identifier: Int, sample: Int, parent: Int?, metadata: Int?
    ) throws {
        let table = ElementTable.all[row.table]
        let insertion = insertions[row.table]
        var index = 1
        func bind(_ value: DatabaseValue) throws {
            try insertion.statement.bind(value, at: index)
            index += 1
        }
        if !table.isSample { try bind(.integer(identifier)) }
        try bind(.integer(sample))
        if table.parentColumn != nil { try bind(parent.map { .integer($0) } ?? .null) }
        if !table.isSample { try bind(.integer(row.number)) }
        for value in row.values { try bind(value) }
        if !table.isSample {
            try bind(metadata.map { .integer($0) } ?? .null)
            try bind(row.other.map { .text($0) } ?? .null)
        }
        try insertion.statement.run()
    }
}
