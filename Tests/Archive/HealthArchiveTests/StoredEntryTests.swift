import SystemIO
import Testing

@testable import HealthArchive

@Suite("What an entry is, by its name")
struct StoredEntryTests {
    @Test(
        "is known by its bytes, and has a path in a plain folder",
        arguments: [
            ("session.json", .session, "session.json"), ("manifest.json.zst", .manifest, "manifest.json"),
            ("prologue.xml.zst", .prologue, "prologue.xml"), ("prologue.xml", .other, "prologue.xml"),
            ("files/a", .file, "files/a"), ("files/a.zst", .file, "files/a.zst"),
            ("files/a.csv.zst.0000", .piece(path: "files/a.csv", number: 0), "files/a.csv"),
            ("files/a.csv.zst.0123", .piece(path: "files/a.csv", number: 123), "files/a.csv"),
            ("files/a.zst.12345", .piece(path: "files/a", number: 12_345), "files/a"),
        ] as [(BytePath, StoredEntry, BytePath)])
    func kinds(name: BytePath, kind: StoredEntry, path: BytePath) {
        #expect(StoredEntry(name) == kind && StoredEntry.plainPath(ofEntry: name) == path)
    }

    @Test(
        "is a batch, compressed or not, of what is there or of what has vanished",
        arguments: [
            ("records/T/2020.json.zst", "records/T/2020", true, false),
            ("records/T/2020.json", "records/T/2020", false, false),
            ("records/T/2020.part2.json", "records/T/2020.part2", false, false),
            ("records/T/2020.gone.json.zst", "records/T/2020.gone", true, true),
            ("records/T/all.gone.part12.json", "records/T/all.gone.part12", false, true),
            ("records/T/2020.gone.part1.json", "records/T/2020.gone.part1", false, false),
            ("records/T.gone/2020.json", "records/T.gone/2020", false, false),
            ("records/T/2020.gone2.json", "records/T/2020.gone2", false, false),
        ] as [(BytePath, BytePath, Bool, Bool)])
    func batches(name: BytePath, stem: BytePath, isCompressed: Bool, isGone: Bool) throws {
        let batch = try #require(StoredEntry(name).batch)
        #expect(batch.stem == stem && batch.isCompressed == isCompressed && batch.isGone == isGone)
        #expect(StoredEntry.plainPath(ofEntry: name) == stem + ".ndjson")
    }

    /// To Swift's strings a sign that stands under a number is one character with the dot behind it, so that none of
    /// these endings would be found.
    @Test(
        "is found behind names that end in a sign that joins what follows",
        arguments: ["\u{600}", "\u{6dd}", "\u{110bd}", "\u{e9}\u{200d}", "\u{1f1e9}"])
    func prepended(sign: String) {
        let name: BytePath = "files/x\(sign)"
        #expect(!("x\(sign).zst".hasSuffix(".zst")) || sign.unicodeScalars.count > 1 || sign == "\u{1f1e9}")
        #expect(StoredEntry("\(name).zst.0007") == .piece(path: name, number: 7))
        #expect(StoredEntry.plainPath(ofEntry: "\(name).zst.0007") == name)
        #expect(StoredEntry("records/T\(sign).json.zst").batch?.stem == "records/T\(sign)")
        #expect(
            EntryPath.piece(name, 7) == "\(name).zst.0007" && EntryPath.pieceOwner("\(name).zst.0007") == name
        )
    }

    @Test(
        "is nothing known where it is only nearly so",
        arguments: [
            "", "Session.json", "manifest.json", "manifest.json.zst.0000", "record/T.json.zst",
            "records/T.jso",
            "records/T.json.zs", "records/T.json.zst.0000", "prologue.xml.zst.0000", "filesa/a",
            "files/a.zst.000", "files/a.zst.00000", "files/a.zst.01234", "files/a.zst.-001",
            "files/a.zst.99999999999999999999",
            "files/a.zst\u{301}.0000", "files/a.zst.0000\u{301}", "files/a.zst.\u{661}\u{661}\u{661}\u{661}",
            "other/a.zst.0000", "files/a.zst.0000/b",
        ] as [BytePath])
    func others(name: BytePath) {
        #expect(StoredEntry(name) == (name.hasPrefix("files/") ? .file : .other))
        #expect(StoredEntry.plainPath(ofEntry: name) == name)
    }

    @Test("is the part of a batch of many by the number behind its path")
    func parts() {
        for (path, first, part): (BytePath, BytePath, Int) in [
            ("records/T/2020.part2", "records/T/2020", 2), ("a.part10", "a", 10),
            ("\u{600}.part3", "\u{600}", 3),
        ] {
            let found = EntryPath.firstPart(of: path)
            #expect(found?.path == first && found?.part == part)
        }
        for path: BytePath in [
            "a", "a.part", "a.part1", "a.part0", "a.part02", "a.part-2", "a.part99999999999999999999",
        ] {
            #expect(EntryPath.firstPart(of: path) == nil, "\(path)")
        }
    }
}
