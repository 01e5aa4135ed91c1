import Database
import Testing

@Suite("Values in a database")
struct DatabaseValueTests {
    static let values: [DatabaseValue] =
        [.null]
        + [0, 1, -1, 127, 128, 1 << 23, 1 << 31, 1 << 32, 1 << 47, 1 << 53 + 1, .max, .min].map {
            .integer($0)
        }
        + [
            0, 1, 0.1, 1.0e308, -1.0e308, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
            -.infinity,
        ]
        .map { .real($0) }
        + ["", "a", "a\0b", "\0", "Größe 🫀"].map { .text(Array($0.utf8)) }
        + [.text([0xff, 0xfe]), .blob([]), .blob([0]), .blob(Array(0...255)), .blob(Array("text".utf8))]
        + [.text([UInt8](repeating: 0x61, count: 100_000)), .blob([UInt8](repeating: 0, count: 100_000))]

    @Test("are read as they were written, after the file is closed and opened again")
    func roundTrip() throws {
        let folder = try ScratchFolder()
        let writer = try folder.database(Array("values.db".utf8))
        try writer.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, value ANY) STRICT")
        do {
            var insertion = try writer.prepare("INSERT INTO entry VALUES (?, ?)")
            for (id, value) in Self.values.enumerated() {
                try insertion.bind(integer: id, at: 1)
                try insertion.bind(value, at: 2)
                try insertion.run()
            }
        }
        #expect(writer.lastInsertedRow == Self.values.count - 1)
        try writer.close()

        let reader = try Database(reading: folder.file("values.db"))
        var query = try reader.prepare("SELECT value FROM entry ORDER BY id")
        var found: [DatabaseValue] = []
        while try query.step() { found.append(query.value(at: 0)) }
        #expect(found == Self.values)
    }

    @Test("keep their sign bit, except for a zero in a column of reals")
    func negativeZero() throws {
        let database = try Scratch.database()
        try database.execute("CREATE TABLE entry (plain ANY, real REAL) STRICT")
        var insertion = try database.prepare("INSERT INTO entry VALUES (?1, ?1)")
        try insertion.bind(real: -0.0, at: 1)
        try insertion.run()
        var query = try database.prepare("SELECT plain, real FROM entry")
        let isRow = try query.step()
        #expect(isRow)
        #expect(query.real(at: 0)?.sign == .minus)
        #expect(query.real(at: 1)?.sign == .plus)
    }

    @Test("are NULL for what is not a number", arguments: [Double.nan, .signalingNaN, -.nan])
    func nan(value: Double) throws {
        let database = try Scratch.database()
        var query = try database.prepare("SELECT ?")
        try query.bind(real: value, at: 1)
        let isRow = try query.step()
        #expect(isRow && query.value(at: 0) == .null)
    }

    @Test("are not converted: a column of another kind gives nil")
    func kinds() throws {
        let database = try Scratch.database()
        var query = try database.prepare("SELECT ?")
        for (place, value) in Self.values.enumerated() {
            query.reset()
            try query.bind(value, at: 1)
            let isRow = try query.step()
            let kinds = [
                query.integer(at: 0) != nil, query.real(at: 0) != nil, query.text(at: 0) != nil,
                query.blob(at: 0) != nil,
            ]
            #expect(isRow && kinds.count { $0 } == (value == .null ? 0 : 1), "\(place)")
            for column in [1, -1, .max] { #expect(query.value(at: column) == .null, "\(place)") }
        }
    }

    @Test("are refused beyond the parameters", arguments: [0, 2, -1, .max, 1 << 32 + 1])
    func parameters(index: Int) throws {
        let database = try Scratch.database()
        var query = try database.prepare("SELECT ?")
        let error = #expect(throws: DatabaseError.self) { try query.bind(integer: 1, at: index) }
        #expect(error?.operation == .bind && error?.code == 25, "SQLITE_RANGE")
    }
}
