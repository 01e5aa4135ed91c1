import SystemIO
import Testing

@testable import struct ExportGenerator.SplitMix64
@testable import HealthArchive

@Suite("The paths of files beside the document")
struct SideFilePathTests {
    @Test("are their own below files/, with what FAT forbids and control characters escaped")
    func escapes() {
        for (name, path): (BytePath, BytePath) in [
            ("a/b.csv", "a/b.csv"), ("caf\u{e9}", "caf\u{e9}"),
            ("a:b?*\"<>|\\", "a%3Ab%3F%2A%22%3C%3E%7C%5C"),
            ("50%", "50%25"), ("a\nb\u{7f}\0", "a%0Ab%7F%00"), ("a.", "a%2E"), ("a ", "a%20"),
            ("a. b", "a. b"),
            ("a./b", "a%2E/b"), ("//a//b/", "a/b"), ("\u{80}\u{202e}", "\u{80}\u{202e}"),
        ] {
            #expect(EntryPath.file(name) == "files/" + path)
        }
    }

    @Test("have the bytes escaped that are no UTF-8")
    func oddBytes() {
        #expect(EntryPath.file(BytePath(bytes: [0x61, 0xff, 0x62])) == "files/a%FFb")
        #expect(EntryPath.file(BytePath(bytes: [0xc3, 0xa9, 0xff])) == "files/\u{e9}%FF")
        #expect(EntryPath.file(BytePath(bytes: [0xe9, 0x2f, 0xc3])) == "files/%E9/%C3")
        #expect(EntryPath.file("\u{e9}/" + BytePath(bytes: [0xe9])) == "files/\u{e9}/%E9")
        let twins = [BytePath(bytes: [0xff]), "%FF", BytePath(bytes: [0xfe]), "\u{fffd}"]
        let paths = EntryPath.files(twins)
        #expect(paths == ["files/%FF", "files/%25FF", "files/%FE", "files/\u{fffd}"])
        #expect(paths.allSatisfy { $0.text != nil })
    }

    @Test("are told apart by a number where a file system may take two for one")
    func twins() {
        #expect(
            EntryPath.files(["caf\u{e9}", "cafe\u{301}", "CAF\u{c9}", "Cafe\u{301}", "cafe"]) == [
                "files/caf\u{e9}", "files/cafe\u{301}~2", "files/CAF\u{c9}~3", "files/Cafe\u{301}~4",
                "files/cafe",
            ])
        // Hangul in one piece and in jamo; a letter and the sign of a unit that is the same.
        #expect(EntryPath.files(["\u{ac00}", "\u{1100}\u{1161}"]).last == "files/\u{1100}\u{1161}~2")
        #expect(EntryPath.files(["\u{3a9}", "\u{2126}"]).last == "files/\u{2126}~2")
        // A number that is taken is not given.
        #expect(
            EntryPath.files(["a~2", "A", "a", "a~3"]) == ["files/a~2", "files/A", "files/a~3", "files/a~3~2"])
    }

    @Test("are not those of a folder that another file lies in, nor of one for its pieces")
    func folders() {
        // 'A' and 'a' are one folder on some file systems.
        let paths = EntryPath.files(["a", "A/b", "a/c/d", "a/C"])
        #expect(paths[..<2] == ["files/a~2", "files/A/b"])
        #expect(paths[2].hasPrefix("files/long-paths/") && paths[2].hasSuffix("-d"))
        #expect(paths[3].hasPrefix("files/long-paths/") && paths[3].hasSuffix("-C"))
        #expect(EntryPath.files(["A/b", "A/c"]) == ["files/A/b", "files/A/c"])
        #expect(EntryPath.files(["x", "x.zst.0000/y"]) == ["files/x~2", "files/x.zst.0000/y"])
        #expect(EntryPath.files(["x", "x.zst.000/y"]) == ["files/x", "files/x.zst.000/y"])
    }

    // SECURITY.md: "a side file in more than 15 folders goes to `files/long-paths/`"
    @Test("lead to a folder for long ones where they are deep, or long")
    func longPaths() throws {
        func path(_ depth: Int, _ part: String) -> BytePath {
            .joined([BytePath](repeating: BytePath(part), count: depth))
        }
        #expect(EntryPath.file(path(16, "a")) == "files/" + path(16, "a"))
        let deep = EntryPath.file(path(17, "a"))
        #expect(deep.hasPrefix("files/long-paths/") && deep.hasSuffix("-a") && deep.parts.count == 3)
        #expect(deep.count == "files/long-paths/".utf8.count + 16 + 2)
        // 4 * 238 + 3 + 6 bytes, and a byte less.
        for (length, isLong) in [(229, false), (230, false)] {
            #expect(
                EntryPath.file(path(4, String(repeating: "b", count: length))).hasPrefix("files/long-paths/")
                    == isLong)
        }
        let parts = [BytePath](repeating: BytePath(String(repeating: "b", count: 189)), count: 5)
        for (more, isLong) in [(5, false), (6, true)] {
            let last = BytePath(String(repeating: "c", count: 189 + more))
            let path = EntryPath.file(.joined(parts.dropLast() + [last]))
            #expect(path.hasPrefix("files/long-paths/") == isLong, "\(path.count)")
            #expect(path.count <= 960 && path.hasSuffix(last))
        }
        // Two that end alike are two.
        let twins = EntryPath.files([path(17, "a"), path(18, "a"), path(17, "A"), path(17, "a")])
        #expect(Set(twins).count == 4 && twins[3].hasSuffix("-a~2"))
    }

    @Test("keep the start of a name that is too long for a disk, up to the last whole character")
    func longNames() {
        for character in ["x", "\u{e9}", "\u{4e2d}", "\u{1f600}"] {
            let name = BytePath(String(repeating: character, count: 300))
            let path = EntryPath.file(name)
            #expect(path.text != nil && path.name.count <= 230 && path.name.count > 220)
            #expect(
                path.name.hasPrefix(BytePath(String(repeating: character, count: 200 / character.utf8.count)))
            )
            #expect(EntryPath.file(name + "y") != path)
        }
        let exact = BytePath(String(repeating: "x", count: 230))
        #expect(EntryPath.file(exact) == "files/" + exact)
    }

    @Test(
        "are all different, as containers and file systems take them, whatever the names are",
        arguments: 0..<20)
    func anyNames(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let pieces: [BytePath] = [
            "a", "A", "\u{e9}", "e\u{301}", "/", "/", "~2", ".", " ", "%", BytePath(bytes: [0xff]), "\0",
            ".zst.0000",
            "long-paths", "..", "\u{301}", "..", BytePath(String(repeating: "n", count: 120)),
        ]
        let names = Set(
            (0..<300).map { _ in
                (0..<Int.random(in: 1...6, using: &random)).reduce("" as BytePath) { name, _ in
                    name + (pieces.randomElement(using: &random) ?? "")
                }
            }
        ).filter { !$0.parts.isEmpty }.sorted()
        let paths = EntryPath.files(names)
        #expect(paths.count == names.count && Set(paths.map { FoldedPath($0) }).count == names.count)
        let folders = Set(
            paths.flatMap { path in
                path.parts.indices.dropFirst().map { FoldedPath(.joined(path.parts[..<$0])) }
            })
        for (name, path) in zip(names, paths) {
            #expect(path.staysInside && path.hasPrefix("files/") && path.text != nil, "\(name)")
            #expect(path.count <= 1024 - 16 && !folders.contains(FoldedPath(path)), "\(name)")
        }
        // The same names give the same paths.
        #expect(EntryPath.files(names) == paths)
    }
}
