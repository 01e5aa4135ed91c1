import Database

enum Scratch {
    /// Creates a database whose file is removed at once.
    static func database() throws -> Database {
        let folder = try ScratchFolder()
        let database = try folder.database(Array("scratch.db".utf8))
        try database.execute("PRAGMA journal_mode = MEMORY")
        return database
    }

    /// Returns the first column of all rows.
    static func column(_ sql: String, in database: borrowing Database) throws -> [DatabaseValue] {
        var query = try database.prepare(sql)
        var values: [DatabaseValue] = []
        while try query.step() { values.append(query.value(at: 0)) }
        return values
    }
}

extension ScratchFolder {
    /// Creates a database in the folder.
    func database(_ name: [UInt8]) throws -> Database {
        try write("", to: name)
        return try Database(filling: file(name))
    }
}
