import Database
import Testing

@Suite("Blobs written in pieces")
struct BlobWriterTests {
    @Test("are whole, whatever the size of the pieces", arguments: [1, 7, 4096, 65_536, 200_000])
    func pieces(size: Int) throws {
        let content = (0..<100_001).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        let database = try Self.database(zeroBlob: content.count)
        var writer = try database.writeBlob(table: "entry", column: "content", row: database.lastInsertedRow)
        #expect(writer.count == content.count)
        while writer.position < content.count {
            let end = min(writer.position + size, content.count)
            try writer.write(content.span.extracting(writer.position..<end))
        }
        try writer.close()
        #expect(try Scratch.column("SELECT content FROM entry", in: database) == [.blob(content)])
    }

    @Test("end where they end, and are zero where nothing was written")
    func bounds() throws {
        let database = try Self.database(zeroBlob: 4)
        let content: [UInt8] = [1, 2, 3, 4, 5]
        var writer = try database.writeBlob(table: "entry", column: "content", row: 1)
        try writer.write(content.span.extracting(first: 2))
        try writer.write(content.span.extracting(first: 0))
        #expect(throws: DatabaseError(.writeBlob, code: 1)) {
            try writer.write(content.span.extracting(last: 3))
        }
        #expect(writer.position == 2)
        try writer.close()
        #expect(try Scratch.column("SELECT content FROM entry", in: database) == [.blob([1, 2, 0, 0])])
    }

    @Test(
        "cannot have a length that is negative or beyond SQLite's limit",
        arguments: [-1, .min, .max, 1 << 31])
    func lengths(count: Int) throws {
        let error = #expect(throws: DatabaseError.self) { _ = try Self.database(zeroBlob: count) }
        #expect(error?.code == 18, "SQLITE_TOOBIG")
    }

    @Test("need a row with a blob")
    func missing() throws {
        let database = try Self.database(zeroBlob: 0)
        for (table, column, row) in [("entry", "content", 2), ("entry", "id", 1), ("other", "content", 1)] {
            let error = #expect(throws: DatabaseError.self) {
                _ = try database.writeBlob(table: table, column: column, row: row)
            }
            #expect(error?.operation == .openBlob)
        }
    }

    private static func database(zeroBlob count: Int) throws -> Database {
        let database = try Scratch.database()
        try database.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT")
        var insertion = try database.prepare("INSERT INTO entry (content) VALUES (?)")
        try insertion.bind(zeroBlob: count, at: 1)
        try insertion.run()
        return database
    }
}
