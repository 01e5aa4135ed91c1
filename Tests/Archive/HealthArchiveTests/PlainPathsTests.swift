import SystemIO
import Testing

@testable import HealthArchive
@testable import VaultContainer

@Suite("The entries of a container as files of a folder")
struct PlainPathsTests {
    private func check(_ names: [BytePath]) throws(ContainerError) {
        try PlainPaths.check(
            names.map {
                ContainerEntry(
                    name: $0, place: .payload(sha256: []), offset: 512, length: 0, properties: [])
            })
    }

    @Test("are one file for each path, with its pieces in their order")
    func sound() throws {
        try check([])
        try check([
            "session.json", "prologue.xml.zst", "files/a.zst.0000", "files/a.zst.0001", "files/a.zst.0002",
            "files/b/c.zst.0000", "files/b/d.zst.0000", "files/SHA256SUMS", "files/.healthvault-unfinished",
            "records/T/2020.json.zst", "records/T/2020.part2.json", "records/T/2020.gone.json",
            "manifest.json.zst",
        ])
        // Two spellings are two names to the system that it runs on.
        try check(["files/caf\u{e9}.zst.0000", "files/cafe\u{301}.zst.0000", "files/A", "files/a"])
    }

    @Test(
        "are refused where two are one file",
        arguments: [
            ["files/a", "files/a"], ["files/a.zst.0000", "files/a"], ["files/a", "files/a.zst.0000"],
            ["records/T.json.zst", "records/T.ndjson"], ["records/T.json.zst", "records/T.json"],
            ["manifest.json", "manifest.json.zst"], ["prologue.xml", "prologue.xml.zst"],
            ["files/a.zst.0000", "files/b", "files/a.zst.0000"], ["files/a.zst.0000", "files/a.zst.0000"],
        ] as [[BytePath]])
    func twice(names: [BytePath]) throws {
        #expect(throws: ContainerError(.entryMismatch, entry: names.last)) { try check(names) }
    }

    @Test(
        "are refused where pieces have a gap, or stand apart, or out of order",
        arguments: [
            ["files/a.zst.0001"], ["files/a.zst.0000", "files/a.zst.0002"],
            ["files/a.zst.0000", "files/b.zst.0000", "files/a.zst.0001"],
            ["files/a.zst.0000", "manifest.json", "files/a.zst.0001"],
            ["files/a.zst.0000", "files/b.zst.0001"],
            ["files/a.zst.0000", "files/a.zst.0001", "files/a.zst.0001"],
        ] as [[BytePath]])
    func gaps(names: [BytePath]) throws {
        #expect(throws: ContainerError(.entryMismatch, entry: names.last)) { try check(names) }
    }

    @Test(
        "are refused where one is the folder of another, whichever comes first",
        arguments: [
            ["files/a", "files/a/b"], ["files/a/b", "files/a"], ["files/a.zst.0000", "files/a/b/c.zst.0000"],
            ["manifest.json", "manifest.json/x"],
        ] as [[BytePath]])
    func folders(names: [BytePath]) throws {
        let file = try #require(names.map { StoredEntry.plainPath(ofEntry: $0) }.min { $0.count < $1.count })
        #expect(throws: ContainerError(.entryMismatch, entry: file)) { try check(names) }
    }

    @Test("are refused where they have a name that the folder itself uses, or lie below it")
    func reserved() throws {
        for name: BytePath in ["SHA256SUMS", ".healthvault-unfinished"] {
            #expect(throws: ContainerError(.entryMismatch, entry: name)) { try check(["a", name]) }
            #expect(throws: ContainerError(.entryMismatch, entry: name)) { try check([name / "a/b", "c"]) }
        }
    }
}
