import Glibc
import SystemIO
import Testing

@Suite("Names that come and go (rename, unlink, mkdir)")
struct FolderTests {
    @Test("A rename refuses to replace anything, unless it is told to")
    func rename() throws {
        let folder = try TemporaryFolder()
        let old = try folder.file("old", "old")
        let new = try folder.file("new", "new")
        #expect(throws: SystemError(call: .rename, path: old, number: EEXIST)) {
            try Folder.rename(new, to: old, replacing: false)
        }
        #expect(try content(old) == "old")
        #expect(try content(new) == "new")
        try Folder.rename(new, to: folder("other"), replacing: false)
        #expect(!exists(new))
        try Folder.rename(folder("other"), to: old, replacing: true)
        #expect(try content(old) == "new")
        #expect(throws: SystemError(call: .rename, path: old, number: ENOENT)) {
            try Folder.rename(new, to: old, replacing: true)
        }
    }

    @Test("A rename replaces neither a link, dangling or not, nor a folder, nor a file by itself")
    func otherTargets() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", "x")
        try #require(unsafe symlink("nowhere", folder("dangling")) == 0)
        try #require(unsafe symlink("file", folder("link")) == 0)
        try Folder.make(folder("folder"))
        for name in ["dangling", "link", "folder", "file"] {
            #expect(throws: SystemError(call: .rename, path: folder(name), number: EEXIST)) {
                try Folder.rename(file, to: folder(name), replacing: false)
            }
        }
        #expect(try content(file) == "x")
    }

    @Test(
        "A file gets its old name back when the folder cannot be synced",
        arguments: [SystemCall.fsync, .open])
    func unsyncedRename(call: SystemCall) throws {
        let folder = try TemporaryFolder()
        let old = try folder.file("old", "x")
        for (isReplacing, name) in [(false, "old"), (true, "new")] {
            #expect(throws: SystemError(call: call, path: folder.path, number: EIO)) {
                try FaultPlan.$current.withValue(FaultPlan([call], at: 0, .fail(EIO))) {
                    try Folder.rename(old, to: folder("new"), replacing: isReplacing)
                }
            }
            #expect(try Folder.entries(of: folder.path).map(\.text) == [name])
        }
    }

    @Test("A folder is removed with all that is in it, and nothing else")
    func removal() throws {
        let folder = try TemporaryFolder()
        try Folder.make(folder("out"))
        try folder.file("out/kept", "kept")
        let root = folder("in")
        for path in ["", "/a", "/a/b", "/a/b/c", "/d", "/\u{e9}"] { try Folder.make(root + path) }
        for path in ["/x", "/a/x", "/a/b/x", "/a/b/c/x", "/a/b/c/\n \\", "/\u{e9}/\u{1f600}"] {
            try folder.file("in" + path)
        }
        try #require(unsafe symlink(folder("out"), root + "/link") == 0)
        try #require(unsafe symlink("../out/kept", root + "/a/link") == 0)
        try #require(unsafe symlink("nowhere", root + "/a/b/dangling") == 0)
        try #require(unsafe mkfifo(root + "/d/pipe", 0o600) == 0)
        try Folder.removeAll(root)
        #expect(try Folder.entries(of: folder.path).map(\.text) == ["out"])
        #expect(try content(folder("out/kept")) == "kept")
    }

    /// Names are bytes to Linux, and a zip from an old program may bring any.
    @Test("A folder with names that are no UTF-8 can be listed and removed")
    func strangeNames() throws {
        let folder = try TemporaryFolder()
        try Folder.make(folder("in"))
        let base = Array(folder("in/").utf8)
        let descriptor = unsafe open(
            (base + [0xff, 0x61]).map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
        try #require(descriptor >= 0)
        close(descriptor)
        try #require(unsafe mkdir((base + [0xc3, 0x28]).map { CChar(bitPattern: $0) } + [0], 0o700) == 0)
        let entries = try Folder.entries(of: folder("in"))
        #expect(entries.map(\.name) == [[0xc3, 0x28], [0xff, 0x61]])
        #expect(entries.map(\.status.kind) == [.folder, .file])
        #expect(entries.map(\.text) == ["\u{fffd}(", "\u{fffd}a"])
        try Folder.removeAll(folder("in"))
        #expect(!exists(folder("in")))
    }

    @Test("Removing all does not start at a link, nor at a file")
    func removalOfLinks() throws {
        let folder = try TemporaryFolder()
        try Folder.make(folder("real"))
        try folder.file("real/kept")
        try #require(unsafe symlink("real", folder("link")) == 0)
        for path in [folder("link"), folder("real/kept")] {
            #expect(throws: SystemError(call: .opendir, path: path, number: ENOTDIR)) {
                try Folder.removeAll(path)
            }
        }
        #expect(exists(folder("real/kept")) && exists(folder("link")))
        #expect(throws: SystemError(call: .fstat, path: folder("none"), number: ENOENT)) {
            try Folder.removeAll(folder("none"))
        }
    }

    @Test("Entries are sorted by their bytes, and links are not followed")
    func entries() throws {
        let folder = try TemporaryFolder()
        for name in ["b", "a", "B", "\u{e9}", "z", ".hidden"] { try folder.file(name, name) }
        try Folder.make(folder("m"))
        try #require(unsafe symlink("m", folder("link")) == 0)
        let entries = try Folder.entries(of: folder.path)
        #expect(entries.map(\.text) == [".hidden", "B", "a", "b", "link", "m", "z", "\u{e9}"])
        #expect(entries.map(\.status.kind) == [.file, .file, .file, .file, .link, .folder, .file, .file])
        #expect(entries.last?.status.size == 2)
        #expect(throws: SystemError(call: .opendir, path: folder("none"), number: ENOENT)) {
            try Folder.entries(of: folder("none"))
        }
    }

    @Test("Missing folders are made between a root and a path, and the root is not")
    func makingAll() throws {
        let folder = try TemporaryFolder()
        try Folder.makeAll(folder("a/b/c"), below: folder.path)
        try Folder.makeAll(folder("a/b/c"), below: folder.path)
        try Folder.makeAll(folder("a/d"), below: folder.path)
        #expect(try Folder.entries(of: folder("a")).map(\.text) == ["b", "d"])
        try Folder.makeAll(folder.path, below: folder.path)
        #expect(throws: SystemError.self) { try Folder.makeAll(folder("none/a"), below: folder("none")) }
        #expect(!exists(folder("none")))
        var status = stat()
        let answer = unsafe stat(folder("a/b"), &status)
        #expect(answer == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test(
        "The folder of a path is what stands before its last name",
        arguments: [
            ("a", "."), ("a/", "."), ("./a", "."), ("a/b", "a"), ("a/b/", "a"), ("a//b", "a"),
            ("a/b/c", "a/b"), ("/a", "/"),
            ("/a/", "/"), ("//a", "/"), ("/a/b", "/a"), ("/a/b/c", "/a/b"), ("/", "/"), ("", "."),
            ("../a", ".."),
        ])
    func parents(path: String, parent: String) {
        #expect(Folder.parent(of: path) == parent)
    }

    @Test(
        "The name of a path is its last part",
        arguments: [
            ("a", "a"), ("a/", "a"), ("a/b", "b"), ("/a", "a"), ("/a/b.c/", "b.c"), ("/", "/"), ("..", ".."),
        ])
    func names(path: String, name: String) {
        #expect(Folder.name(of: path) == name)
    }
}
