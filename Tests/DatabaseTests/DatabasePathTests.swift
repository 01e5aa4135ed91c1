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
        let database = try Database(creating: folder.file(name))
        try database.execute("CREATE TABLE entry (id INTEGER)")
        try database.close()
        #expect(folder.names == [name])
        let reader = try Database(reading: folder.file(name))
        #expect(
            try Scratch.column("SELECT name FROM sqlite_schema", in: reader) == [.text(Array("entry".utf8))])
    }

    @Test(
        "has that name in the current folder, too", arguments: [":memory:", "file:relative.db?mode=memory"])
    func relativeNames(name: String) throws {
        let database = try Database(creating: Array(name.utf8))
        defer { unsafe unlink("./" + name) }
        #expect(unsafe access("./" + name, F_OK) == 0)
        try database.close()
    }

    @Test("must not exist", arguments: ["", "content", "SQLite format 3\0"])
    func existing(content: String) throws {
        let folder = try ScratchFolder()
        try folder.write(content, to: "here.db")
        let error = #expect(throws: DatabaseError.self) { _ = try Database(creating: folder.file("here.db")) }
        #expect(error?.isExisting == true)
        #expect(error?.description == "cannot create or open the database: file exists")
        #expect(folder.content(of: "here.db") == content)
    }

    @Test("must not be a pipe, nor a link to a file that is not there")
    func pipesAndLinks() throws {
        let folder = try ScratchFolder()
        try #require(unsafe mkfifo(cString(folder.file("pipe")), 0o600) == 0)
        try folder.link("link", to: folder.file("target"))
        for name in ["pipe", "link"] {
            #expect(throws: DatabaseError.self) { _ = try Database(creating: folder.file(name)) }
        }
        #expect(folder.names == ["link", "pipe"].map { Array($0.utf8) })
    }

    @Test("may be in a folder that is reached through a link, if that is allowed")
    func linkedFolder() throws {
        let (folder, other) = (try ScratchFolder(), try ScratchFolder())
        try folder.link("link", to: other.path)
        #expect(throws: DatabaseError.self) { _ = try Database(creating: folder.file("link/x.db")) }
        try Database(creating: folder.file("link/x.db"), followsLinks: true).close()
        #expect(other.names == [Array("x.db".utf8)])
        let error = #expect(throws: DatabaseError.self) {
            _ = try Database(creating: folder.file("link/x.db"), followsLinks: true)
        }
        #expect(error?.isExisting == true)
    }

    @Test("can be one that exists and is empty")
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
        let error = #expect(throws: DatabaseError.self) { _ = try Database(creating: Array(name.utf8)) }
        #expect(error?.code == 21, "SQLITE_MISUSE")
    }

    @Test("is not changed by a reader")
    func reading() throws {
        let folder = try ScratchFolder()
        #expect(throws: DatabaseError.self) { _ = try Database(reading: folder.file("missing.db")) }
        #expect(folder.names == [])
        let writer = try Database(creating: folder.file("x.db"))
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
