import Database
import Glibc
import Testing

@Suite("The file of a database")
struct DatabasePathTests {
    @Test(
        "has the very name that was given",
        arguments: [
            Array("a b.db".utf8), Array("file:x.db".utf8), Array("file:x.db?mode=memory".utf8),
            Array(":memory:".utf8), Array("100%41?#.db".utf8), [0xff, 0x80, 0x0a], Array("-x".utf8),
        ] as [[UInt8]])
    func names(name: [UInt8]) throws {
        let folder = try ScratchFolder()
        let database = try folder.database(name)
        try database.execute("CREATE TABLE entry (id INTEGER)")
        try database.close()
        #expect(folder.names == [name])
        let reader = try Database(reading: folder.file(name))
        #expect(
            try Scratch.column("SELECT name FROM sqlite_schema", in: reader) == [.text(Array("entry".utf8))])
    }

    @Test("must not be a pipe, and no part of its path a link")
    func pipesAndLinks() throws {
        let (folder, other) = (try ScratchFolder(), try ScratchFolder())
        try #require(unsafe mkfifo(cString(folder.file("pipe")), 0o600) == 0)
        try other.write("", to: "x.db")
        try folder.link("file.db", to: other.file("x.db"))
        try folder.link("folder", to: other.path)
        for name in ["pipe", "file.db", "folder/x.db", "missing.db"] {
            #expect(throws: DatabaseError.self) { _ = try Database(filling: folder.file(name)) }
        }
        #expect(other.content(of: "x.db").isEmpty)
    }

    @Test("must be empty")
    func filling() throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "empty.db")
        let database = try Database(filling: folder.file("empty.db"))
        try database.execute("PRAGMA page_size = 8192; CREATE TABLE entry (id INTEGER)")
        #expect(try Scratch.column("PRAGMA page_size", in: database) == [.integer(8192)])
        try database.close()
        let error = #expect(throws: DatabaseError.self) { _ = try Database(filling: folder.file("empty.db")) }
        #expect(error?.isExisting == true)
        #expect(throws: DatabaseError.self) { _ = try Database(filling: folder.file("missing.db")) }
        try folder.write("no database at all", to: "other.db")
        #expect(throws: DatabaseError.self) { _ = try Database(filling: folder.file("other.db")) }
        #expect(folder.content(of: "other.db") == "no database at all")
    }

    @Test("cannot have a name that is empty or has a NUL", arguments: ["", "a\0b", "\0"])
    func impossible(name: String) {
        let error = #expect(throws: DatabaseError.self) { _ = try Database(filling: Array(name.utf8)) }
        #expect(error?.code == 21, "SQLITE_MISUSE")
    }

    @Test("is not changed by a reader")
    func reading() throws {
        let folder = try ScratchFolder()
        #expect(throws: DatabaseError.self) { _ = try Database(reading: folder.file("missing.db")) }
        #expect(folder.names == [])
        let writer = try folder.database(Array("x.db".utf8))
        try writer.execute("CREATE TABLE entry (id INTEGER)")
        try writer.close()
        let reader = try Database(reading: folder.file("x.db"))
        let error = #expect(throws: DatabaseError.self) { try reader.execute("DELETE FROM entry") }
        #expect(error?.code == 8, "SQLITE_READONLY")
    }

    @Test("has temporary files in the folder that was set for them")
    func temporaryFolder() throws {
        let folder = try ScratchFolder()
        try Database.setTemporaryFolder(folder.path)
        let database = try Scratch.database()
        try database.execute("PRAGMA temp_store = FILE; PRAGMA cache_size = 10")
        var query = try database.prepare(
            """
            WITH RECURSIVE number(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number LIMIT 100000)
            SELECT value, randomblob(20) AS random FROM number ORDER BY random
            """)
        let isRow = try query.step()
        #expect(isRow)
        let isThere = ScratchFolder.openFiles().contains { $0.starts(with: folder.path) }
        #expect(isThere)
        #expect(folder.names == [])
        for path in [[], [0], folder.file("missing")] {
            let error = #expect(throws: DatabaseError.self) { try Database.setTemporaryFolder(path) }
            #expect(error?.operation == .setTemporaryFolder)
        }
    }
}
