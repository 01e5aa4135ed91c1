import Glibc
import SystemIO
import Testing

@Suite("Folders by their paths")
struct FolderTests {
    @Test("A folder is removed with all that is in it, and nothing else")
    func removal() throws {
        let folder = try TemporaryFolder()
        try Folder.make(folder("out"))
        try folder.file("out/kept", "kept")
        let root = folder("in")
        for path: BytePath in ["", "/a", "/a/b", "/a/b/c", "/d", "/\u{e9}"] { try Folder.make(root + path) }
        for path: BytePath in ["/x", "/a/x", "/a/b/x", "/a/b/c/x", "/a/b/c/\n \\", "/\u{e9}/\u{1f600}"] {
            try folder.file("in" + path)
        }
        try #require(unsafe symlink(c(folder("out")), c(root + "/link")) == 0)
        try #require(unsafe symlink("../out/kept", c(root + "/a/link")) == 0)
        try #require(unsafe symlink("nowhere", c(root + "/a/b/dangling")) == 0)
        try #require(unsafe mkfifo(c(root + "/d/pipe"), 0o600) == 0)
        try Folder.removeAll(root)
        #expect(try folder.names == ["out"])
        #expect(try content(folder("out/kept")) == "kept")
    }

    @Test("A folder is removed however deep others lie in it, also deeper than a path can say")
    func depth() throws {
        let folder = try TemporaryFolder()
        let name = BytePath(String(repeating: "x", count: 200))
        var inner = folder.open
        // Linux takes paths of 4096 bytes.
        for _ in 0..<50 {
            try inner.makeFolder(name)
            inner = try inner.openFolder(name)
        }
        _ = try inner.open("file", .create)
        try Folder.removeAll(folder.path / name)
        #expect(try folder.names == [])
    }

    /// Names are bytes to Linux, and a zip from an old program may bring any.
    @Test("A folder with names that are no UTF-8 can be filled, listed and removed")
    func strangeNames() throws {
        let folder = try TemporaryFolder()
        let names = [BytePath(bytes: [0xc3, 0x28]), BytePath(bytes: [0xff, 0x61])]
        try Folder.make(folder("in"))
        try Folder.make(folder("in") / names[0])
        try folder.file("in/" + names[1], "text")
        let entries = try Folder.entries(of: folder("in"))
        #expect(entries.map(\.name) == names)
        #expect(entries.map(\.status.kind) == [.folder, .file])
        #expect(try content(folder("in") / names[1]) == "text")
        try Folder.removeAll(folder("in"))
        #expect(!exists(folder("in")))
    }

    @Test("Removing all does not start at a link, nor at a file")
    func removalOfLinks() throws {
        let folder = try TemporaryFolder()
        try Folder.make(folder("real"))
        try folder.file("real/kept")
        try #require(unsafe symlink("real", c(folder("link"))) == 0)
        for (path, number) in [
            (folder("link"), ELOOP), (folder("real/kept"), ENOTDIR), (folder("link/"), ELOOP),
        ] {
            let place = path.withoutTrailingSlashes
            #expect(throws: SystemError(call: .open, path: place, number: number)) {
                try Folder.removeAll(path)
            }
        }
        #expect(exists(folder("real/kept")) && exists(folder("link")))
        #expect(throws: SystemError(call: .open, path: folder("none"), number: ENOENT)) {
            try Folder.removeAll(folder("none"))
        }
    }

    @Test("Entries are sorted by their bytes, and links are not followed")
    func entries() throws {
        let folder = try TemporaryFolder()
        for name: BytePath in ["b", "a", "B", "\u{e9}", "z", ".hidden"] { try folder.file(name, "\(name)") }
        try Folder.make(folder("m"))
        try #require(unsafe symlink("m", c(folder("link"))) == 0)
        let entries = try Folder.entries(of: folder.path)
        #expect(entries.map(\.name) == [".hidden", "B", "a", "b", "link", "m", "z", "\u{e9}"])
        #expect(entries.map(\.status.kind) == [.file, .file, .file, .file, .link, .folder, .file, .file])
        #expect(entries.last?.status.size == 2)
        #expect(throws: SystemError(call: .open, path: folder("none"), number: ENOENT)) {
            try Folder.entries(of: folder("none"))
        }
        #expect(throws: SystemError(call: .open, path: folder("a"), number: ENOTDIR)) {
            try Folder.entries(of: folder("a"))
        }
    }

    @Test("Missing folders are made on the way to a path, for their owner alone")
    func makingAll() throws {
        let folder = try TemporaryFolder()
        for path: BytePath in ["a/b/c", "a/b/c", "a/d", "a/e/", ""] { try Folder.makeAll(folder(path)) }
        #expect(try Folder.entries(of: folder("a")).map(\.name) == ["b", "d", "e"])
        var status = stat()
        let answer = unsafe stat(c(folder("a/b")), &status)
        #expect(answer == 0 && status.st_mode & 0o777 == 0o700)
        try folder.file("file")
        #expect(throws: SystemError(call: .mkdir, path: folder("file/x"), number: ENOTDIR)) {
            try Folder.makeAll(folder("file/x"))
        }
        #expect(throws: SystemError(call: .mkdir, path: "", number: ENOENT)) { try Folder.makeAll("") }
    }

    @Test("The same in an open folder, and none is made outside of it")
    func makingInside() throws {
        let folder = try TemporaryFolder()
        for path: BytePath in ["a/b/c", "a/b/c", "a/d", "e"] { try folder.open.makeFolders(path) }
        #expect(try folder.names == ["a", "e"])
        #expect(try Folder.entries(of: folder("a")).map(\.name) == ["b", "d"])
        #expect(throws: SystemError(call: .mkdir, path: folder("a"), number: EEXIST)) {
            try folder.open.makeFolder("a")
        }
    }

    @Test("An absolute path has no links on its way, as far as that exists")
    func absolutePaths() throws {
        let folder = try TemporaryFolder()
        let root = try Folder.canonical(folder.path)
        try Folder.make(folder("real"))
        try #require(unsafe symlink("real", c(folder("link"))) == 0)
        try folder.file("real/\u{e9}")
        for (given, expected): (BytePath, BytePath) in [
            ("link/\u{e9}", "real/\u{e9}"), ("link/new", "real/new"), ("link/new/", "real/new"),
            ("real/../link/x", "real/x"), ("real/.", "real"), ("link/..", ""), ("none/x", "none/x"),
        ] {
            let found = Folder.absolute(folder(given))
            #expect(found == (expected.isEmpty ? root : root / expected), "\(given)")
        }
        // The last part is not resolved: it may be what is to be replaced.
        #expect(Folder.absolute(folder("link")) == root / "link")
        #expect(Folder.absolute("/") == "/")
        #expect(try Folder.canonical(folder("link/\u{e9}")) == root / "real/\u{e9}")
        #expect(throws: SystemError(call: .fstat, path: folder("none"), number: ENOENT)) {
            try Folder.canonical(folder("none"))
        }
    }
}
