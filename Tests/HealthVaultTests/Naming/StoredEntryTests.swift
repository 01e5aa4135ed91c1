import SystemIO
import Testing

@testable import HealthVault

@Suite("What an entry is, by its name")
struct StoredEntryTests {
    @Test(
        "is known by its bytes, and has a path in a plain folder",
        arguments: [
            ("session.json", .session, "session.json"), ("manifest.json", .manifest, "manifest.json"),
            ("prologue.xml.zst", .prologue, "prologue.xml"),
            ("records/T/2020.json.zst", .batch(path: "records/T/2020"), "records/T/2020.ndjson"),
            ("files/a.csv.zst.0000", .piece(path: "files/a.csv", number: 0), "files/a.csv"),
            ("files/a.csv.zst.0123", .piece(path: "files/a.csv", number: 123), "files/a.csv"),
            ("files/a.zst.12345", .piece(path: "files/a", number: 12_345), "files/a"),
        ] as [(BytePath, StoredEntry, BytePath)])
    func kinds(name: BytePath, kind: StoredEntry, path: BytePath) {
        #expect(StoredEntry(name) == kind && StoredEntry.plainPath(ofEntry: name) == path)
        #expect(kind.isBatch == name.hasPrefix("records/"))
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
        #expect(StoredEntry("records/T\(sign).json.zst") == .batch(path: "records/T\(sign)"))
        #expect(
            EntryPath.piece(name, 7) == "\(name).zst.0007" && EntryPath.pieceOwner("\(name).zst.0007") == name
        )
    }

    @Test(
        "is nothing known where it is only nearly so",
        arguments: [
            "", "Session.json", "records/T.json", "record/T.json.zst", "files/a", "files/a.zst",
            "files/a.zst.000",
            "files/a.zst.00000", "files/a.zst.01234", "files/a.zst.-001", "files/a.zst.99999999999999999999",
            "files/a.zst\u{301}.0000", "files/a.zst.0000\u{301}", "files/a.zst.\u{661}\u{661}\u{661}\u{661}",
            "other/a.zst.0000", "files/a.zst.0000/b",
        ] as [BytePath])
    func others(name: BytePath) {
        #expect(StoredEntry(name) == .other && StoredEntry.plainPath(ofEntry: name) == name)
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
