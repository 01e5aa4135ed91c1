import SystemIO
import Testing

@Suite("Paths taken apart byte by byte")
struct RelativePathTests {
    @Test(
        "that stay inside",
        arguments: ["a", "a/b", "a/..b", "...", "a/\u{301}b", "\u{200d}", "..\u{301}", ".hidden/x"])
    func inside(path: String) { #expect(RelativePath.staysInside(path)) }

    @Test(
        "that lead out, or are none",
        arguments: [
            "", ".", "..", "/", "/a", "a/", "a//b", "../a", "a/..", "a/./b", "../\u{301}a", "a/\u{200d}/../b",
            "../\u{fe0f}a", "a/../\u{200d}b",
        ])
    func outside(path: String) { #expect(!RelativePath.staysInside(path)) }

    @Test("A slash is a slash whatever follows it")
    func parts() {
        #expect(RelativePath.parts(of: "a/\u{301}b/c") == ["a", "\u{301}b", "c"])
        #expect(Folder.parent(of: "/a/\u{301}b") == "/a")
        #expect(Folder.name(of: "/a/\u{301}b") == "\u{301}b")
        #expect(Folder.withoutSlash("a/\u{301}/") == "a/\u{301}")
        #expect(Folder.withoutSlash("///") == "/")
        #expect("files/\u{301}x".startsWithBytes(of: "files/"))
        #expect("x\u{301}".endsWithBytes(of: "\u{301}"))
    }
}
