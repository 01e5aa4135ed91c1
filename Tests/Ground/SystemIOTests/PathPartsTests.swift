import SystemIO
import Testing

@Suite("Paths taken apart byte by byte")
struct PathPartsTests {
    private static let odd = BytePath(bytes: [0xff, 0xc3])

    @Test(
        "that stay inside",
        arguments: ["a", "a/b", "a/..b", "...", "a/\u{301}b", "\u{200d}", "..\u{301}", ".hidden/x"]
            as [BytePath])
    func inside(path: BytePath) { #expect(path.staysInside && (path.isPlainName == (path.parts.count == 1))) }

    @Test(
        "that lead out, or are none",
        arguments: [
            "", ".", "..", "/", "/a", "a/", "a//b", "../a", "a/..", "a/./b", "../\u{301}a", "a/\u{200d}/../b",
            "../\u{fe0f}a", "a/../\u{200d}b",
        ] as [BytePath])
    func outside(path: BytePath) { #expect(!path.staysInside && !path.isPlainName) }

    /// To the system a path ends at its first NUL, so that the one above would be another one.
    @Test(
        "that end before their time",
        arguments: ["\0", "a\0", "\0a", "a/\0", "a/..\0", "..\0/a", "a/b\0/c"] as [BytePath])
    func nul(path: BytePath) { #expect(!path.staysInside && !path.isPlainName) }

    @Test("that are no UTF-8 stay inside as others do")
    func oddNames() {
        #expect(Self.odd.staysInside && Self.odd.isPlainName && (Self.odd / Self.odd).staysInside)
        #expect(!(Self.odd / ".." / Self.odd).staysInside)
    }

    @Test("A slash is a slash whatever follows it")
    func parts() {
        #expect(BytePath("a/\u{301}b/c").parts == ["a", "\u{301}b", "c"])
        #expect(
            BytePath("//a///b/").parts == ["a", "b"] && BytePath("/").parts == [] && BytePath("").parts == [])
        #expect(BytePath("/a/\u{301}b").parent == "/a")
        #expect(BytePath("/a/\u{301}b").name == "\u{301}b")
        #expect(BytePath("a/\u{301}/").withoutTrailingSlashes == "a/\u{301}")
        #expect(("a" / Self.odd / "b").parts == ["a", Self.odd, "b"])
        #expect(BytePath.joined(["a", Self.odd]) == "a/" + Self.odd && BytePath.joined([BytePath]()) == "")
    }

    @Test("What is asked without taking a path apart is the same as of its parts")
    func withoutCopies() {
        var paths: [BytePath] = [""]
        for _ in 0..<5 {
            paths += paths.flatMap { path in (["/", ".", "a", "\0"] as [BytePath]).map { path + $0 } }
        }
        for path in Set(paths) {
            #expect(path.name == path.parts.last ?? path)
            #expect(path.hasOnlyNames == path.parts.allSatisfy(\.isPlainName))
            let hasNoEmptyPart = !path.isEmpty && path == .joined(path.parts)
            #expect(path.staysInside == (path.hasOnlyNames && hasNoEmptyPart))
        }
    }

    @Test("A path is a child of the folder that it names, and of no other")
    func children() {
        let paths: [BytePath] = ["a", "ab", "a/b", "a/b/c", "a/bc", "ab/c", "a/\u{301}b/c"]
        for path in paths {
            for folder in paths { #expect(path.isChild(of: folder) == (path.parent == folder)) }
            #expect(!path.isChild(of: "") && !path.isChild(of: "/") && !(path + "/").isChild(of: path))
        }
        #expect(BytePath("/a/b").isChild(of: "/a"))
    }

    @Test("Slashes at the end are left out, but that of the root")
    func trailingSlashes() {
        for (path, expected): (BytePath, BytePath) in [
            ("a/", "a"), ("a///", "a"), ("/a//", "/a"), ("a", "a"), ("/", "/"), ("///", "/"), ("", ""),
        ] {
            #expect(path.withoutTrailingSlashes == expected)
        }
    }

    @Test(
        "The folder of a path is what stands before its last name",
        arguments: [
            ("a", "."), ("a/", "."), ("./a", "."), ("a/b", "a"), ("a/b/", "a"), ("a//b", "a"),
            ("a/b/c", "a/b"), ("/a", "/"),
            ("/a/", "/"), ("//a", "/"), ("/a/b", "/a"), ("/a/b/c", "/a/b"), ("/", "/"), ("", "."),
            ("../a", ".."),
        ] as [(BytePath, BytePath)])
    func parents(path: BytePath, parent: BytePath) {
        #expect(path.parent == parent)
        #expect(path.isAbsolute == path.hasPrefix("/"))
    }

    @Test(
        "The name of a path is its last part",
        arguments: [
            ("a", "a"), ("a/", "a"), ("a/b", "b"), ("/a", "a"), ("/a/b.c/", "b.c"), ("/", "/"), ("..", ".."),
            ("", ""),
        ] as [(BytePath, BytePath)])
    func names(path: BytePath, name: BytePath) { #expect(path.name == name) }

    @Test("What lies beside a path has the same folder")
    func siblings() {
        for (path, expected): (BytePath, BytePath) in [
            ("a", "x"), ("./a", "x"), ("a/b", "a/x"), ("/a", "/x"), ("a/b/", "a/x"), ("../a", "../x"),
            (Self.odd / "a", Self.odd / "x"),
        ] {
            #expect(path.sibling("x") == expected, "\(path)")
        }
    }

    @Test("One slash stands between a folder and a name")
    func joining() {
        #expect(BytePath("a") / "b" == "a/b" && BytePath("a/") / "b" == "a/b" && BytePath("/") / "b" == "/b")
        #expect(
            BytePath("") / "b" == "b" && BytePath("a") / "" == "a/"
                && BytePath("a") / Self.odd == "a/" + Self.odd)
    }
}
