import FolderTesting
import SystemIO
import Testing

private struct Visit: FileRecord {
    var place = ""
    var path: BytePath = "/"
    var seconds: Int?
    var notes: [String] = []
    var isLast = false

    static let blank = Visit()
    static let fields: RecordFields<Visit> = [
        .version("visit"), .field(\.place, "place", .text.when { !$0.isEmpty }),
        .member(\.path, "path", .path),
        .field(\.seconds, "seconds", .count), .field(\.notes, "notes", .list(of: .text), unless: []),
        .field(\.isLast, "last", .flag, unless: false),
    ]
}

@Suite("Records as lines of JSON")
struct FileRecordTests {
    @Test("a record is written in the order of its fields, and read back")
    func form() {
        #expect(text(Visit(place: "here")) == #"{"visit":1,"place":"here","path":"/"}"#)
        let visit = Visit(
            place: "a\n\"b\"", path: BytePath(bytes: [0x2f, 0xff]), seconds: 7, notes: ["x", ""], isLast: true
        )
        let line =
            #"{"visit":1,"place":"a\n\"b\"","path":"/\udcff","seconds":7,"notes":["x",""],"last":true}"#
        #expect(text(visit) == line)
        #expect(Visit(line: Array(line.utf8)) == visit)
    }

    @Test("members of later versions and in any order are read, and none need be there that may be missing")
    func otherForms() {
        let line = #"{"later":{"a":[1,null]},"seconds":7,"place":"x","visit":1,"more":null}"#
        #expect(Visit(line: Array(line.utf8)) == Visit(place: "x", seconds: 7))
    }

    @Test(
        "a line is refused if a value is missing, of another kind or out of range",
        arguments: [
            "", "{}", "[]", "null", #"{"visit":1}"#, #"{"place":"x"}"#, #"{"visit":2,"place":"x"}"#,
            #"{"visit":1,"place":""}"#, #"{"visit":1,"place":7}"#, #"{"visit":1,"place":"x","seconds":-1}"#,
            #"{"visit":1,"place":"x","seconds":null}"#, #"{"visit":1,"place":"x","seconds":1e3}"#,
            #"{"visit":1,"place":"x","seconds":9223372036854775808}"#,
            #"{"visit":1,"place":"x","notes":[1]}"#,
            #"{"visit":1,"place":"x"}}"#, #"{"visit":1,"place":"x""#, #"{"visit":1,"place":"\udcff"}"#,
        ])
    func refusals(line: String) { #expect(Visit(line: Array(line.utf8)) == nil) }

    private func text(_ visit: Visit) -> String { String(decoding: visit.line, as: UTF8.self) }
}

@Suite("Files of records")
struct RecordFileTests: ~Copyable {
    private struct Refused: Error, Equatable { let path: BytePath }

    private let folder: TemporaryFolder
    private var path: BytePath { folder.path / "state/visits" }
    private var file: RecordFile<Visit> { RecordFile(folder.path / "state", "visits") }
    private var strict: RecordFile<Visit> {
        RecordFile(folder.path / "state", "visits") { Refused(path: $0) }
    }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String) throws {
        try Folder.makeAll(path.parent)
        try OpenFolder(opening: path.parent).replaceFile(path.name, with: Array(text.utf8))
    }

    private func text() throws -> String {
        String(decoding: try FileDescriptor(opening: path, .read).bytes(at: 0, count: 1 << 16), as: UTF8.self)
    }

    private static let (one, two) = (Visit(place: "one"), Visit(place: "two"))
    private static let (oneLine, twoLine) = (
        #"{"visit":1,"place":"one","path":"/"}"#, #"{"visit":1,"place":"two","path":"/"}"#
    )

    @Test("records are added, replaced and removed, and the oldest dropped")
    func changes() throws {
        #expect(try file.all() == [] && strict.all() == [])
        #expect(try !file.replace({ $0.place == "one" }, with: Self.one))
        try file.replace({ $0.place == "two" }, with: Self.two)
        #expect(try text() == "\(Self.oneLine)\n\(Self.twoLine)\n")
        #expect(try FileStatus(at: path).isPrivate)
        #expect(try file.replace({ $0.place == "one" }, with: Self.one))
        #expect(try file.all() == [Self.two, Self.one])
        try file.replace({ _ in false }, with: Visit(place: "three"), keeping: 2)
        #expect(try file.all().map(\.place) == ["one", "three"])
        #expect(try file.replace { _ in true })
        // A file without a line is one that was cut off.
        #expect(try text() == "\n" && strict.all() == [])
    }

    @Test("lines of later versions and what a crash cut off do not count, and the lines stay as they are")
    func others() throws {
        let other = #"{"visit":2,"place":"x"}"#
        try write("\(other)\n\(Self.oneLine)\nnonsense\n\(Self.twoLine.dropLast())")
        #expect(try file.all() == [Self.one])
        try file.replace({ $0.place == "one" }, with: Self.two)
        #expect(try text() == "\(other)\nnonsense\n\(Self.twoLine)\n")
    }

    @Test("a file with what a user has set up is refused if it is cut off or not understood")
    func refusals() throws {
        for content in ["", Self.oneLine, "\(Self.oneLine)\n{", "\(Self.oneLine)\nnonsense\n"] {
            try write(content)
            #expect(throws: Refused(path: path)) { try strict.all() }
            #expect(throws: Refused(path: path)) { try strict.replace({ _ in true }) }
            #expect(try text() == content)
        }
    }

    @Test("a log belongs to one process, and whatever follows its last line is written over")
    func log() throws {
        try write("\(Self.oneLine)\nnonsense\n\(Self.twoLine.dropLast())")
        let folder = try OpenFolder(opening: path.parent)
        do {
            let log = try RecordLog<Visit>(path.name, in: folder)
            #expect(log.lines.map(\.record) == [Self.one, nil])
            #expect(throws: SystemError.self) { try RecordLog<Visit>(path.name, in: folder) }
            #expect(try RecordLog<Visit>.lines(of: path.name, in: folder).isInUse)
            try log.append([Visit(place: "x"), Self.one])
            try log.append([Self.two], isSynced: false)
        }
        let (lines, isInUse) = try RecordLog<Visit>.lines(of: path.name, in: folder)
        #expect(lines.map(\.record?.place) == ["one", nil, "x", "one", "two"] && !isInUse)
        let log = try RecordLog<Visit>(path.name, in: folder)
        try log.remove()
        try log.append([Self.one])
        #expect(try folder.entries().isEmpty)
    }
}
