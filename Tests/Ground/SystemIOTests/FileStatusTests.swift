import Glibc
import SystemIO
import Testing

@Suite("What lies at a path (POSIX stat, flock)")
struct FileStatusTests {
    @Test("is a file, a folder, a link or something else")
    func kinds() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", "12345")
        try #require(unsafe symlink("file", c(folder("link"))) == 0)
        #expect(try FileStatus(at: file).kind == .file)
        #expect(try FileStatus(at: file).size == 5)
        #expect(try FileStatus(at: folder.path).kind == .folder)
        #expect(try FileStatus(at: folder("link")).kind == .file)
        #expect(try FileStatus(at: folder("link"), followingLinks: false).kind == .link)
        #expect(try FileStatus(at: "/dev/null").kind == .other)
        #expect { try FileStatus(at: folder("none")) } throws: { ($0 as? SystemError)?.isMissing == true }
        #expect { try FileStatus(at: folder("file/x")) } throws: { ($0 as? SystemError)?.isMissing == true }
    }

    @Test("is the same file under all of its names")
    func identity() throws {
        let folder = try TemporaryFolder()
        let first = try FileStatus(at: try folder.file("a", "x"))
        let second = try FileStatus(at: try folder.file("b", "x"))
        try #require(unsafe link(c(folder("a")), c(folder("c"))) == 0)
        #expect(try first.isSameFile(as: FileStatus(at: folder("c"))))
        #expect(!first.isSameFile(as: second))
    }

    @Test("is locked by one writer or by many readers")
    func locks() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a")
        let first = try FileDescriptor(opening: path, .update)
        let second = try FileDescriptor(opening: path, .read)
        try first.lock(exclusively: true)
        let isLocked = { (error: any Error) in (error as? SystemError)?.isLocked == true }
        #expect { try second.lock(exclusively: false) } throws: { isLocked($0) }
        try first.lock(exclusively: false)
        try second.lock(exclusively: false)
        #expect { try first.lock(exclusively: true) } throws: { isLocked($0) }
        try second.close()
        try first.lock(exclusively: true)
    }

    @Test("has a reason in words when it cannot be had")
    func reasons() {
        #expect(SystemError(call: .open, path: "", number: ENOENT).reason == "no such file or directory")
        #expect(SystemError(call: .write, path: "", number: ENOSPC).reason == "no space left on device")
    }
}

@Suite("Locked memory")
struct LockedPagesTests {
    @Test("starts as zeroes and keeps what is put there", arguments: [0, 1, 4095, 4096, 4097, 100_000])
    func content(count: Int) throws {
        var pages = try LockedPages(count: count)
        #expect(pages.withSpan { span in span.count == count && span.indices.allSatisfy { span[$0] == 0 } })
        pages.withMutableSpan { span in
            for index in span.indices { span[index] = UInt8(truncatingIfNeeded: index &* 31) }
        }
        #expect(
            pages.withSpan { span in
                span.indices.allSatisfy { span[$0] == UInt8(truncatingIfNeeded: $0 &* 31) }
            })
    }
}

@Suite("Pages that are used again")
struct UsedPagesTests {
    /// Fills so many pages, all there at once, and gives them back; each must be its own, and empty at first.
    private func use(_ number: Int, _ mark: UInt8) throws {
        guard number > 0 else { return }
        var pages = try LockedPages(count: 64)
        #expect(pages.withSpan { span in span.indices.allSatisfy { span[$0] == 0 } })
        pages.withMutableSpan { span in for index in span.indices { span[index] = mark } }
        try use(number - 1, mark &+ 1)
        #expect(pages.withSpan { span in span.indices.allSatisfy { span[$0] == mark } })
    }

    @Test("are wiped, and belong to one secret at a time", arguments: [1, 7, 8, 9, 20])
    func pages(number: Int) throws { for round in 0..<5 { try use(number, UInt8(round * 30 + 1)) } }
}

@Suite("A command that the owner named")
struct ShellTests {
    @Test(
        "gives its output and its exit status",
        arguments: [
            ("printf 'a b'", "a b", 0), ("exit 3", "", 3), ("echo x; kill -KILL $$", "x\n", 137),
            ("true", "", 0),
            ("no-such-command 2>/dev/null", "", 127),
        ] as [(String, String, Int32)])
    func output(command: String, text: String, status expected: Int32) throws {
        var pages = try LockedPages(count: 64)
        let (count, status) = try Shell.output(of: command, into: &pages)
        #expect(status == expected)
        #expect(
            pages.withSpan { span in String(decoding: (0..<count).map { span[$0] }, as: UTF8.self) } == text)
    }

    @Test("may not say more than there is room for")
    func room() throws {
        var pages = try LockedPages(count: 10)
        #expect { _ = try Shell.output(of: "yes", into: &pages) } throws: {
            ($0 as? SystemError)?.number == EFBIG
        }
    }
}
