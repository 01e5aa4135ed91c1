import Glibc
import SystemIO
import Testing

@Suite("Opening (POSIX open)")
struct OpeningTests {
    /// A pipe without a writer would keep the process waiting for ever, and a device gives bytes without end.
    @Test(
        "refuses a pipe, a device and a socket, and links to them, without waiting", .timeLimit(.minutes(1)))
    func noFiles() throws {
        let folder = try TemporaryFolder()
        try #require(unsafe mkfifo(c(folder("pipe")), 0o600) == 0)
        try bindSocket(folder("socket"))
        for (link, target): (BytePath, BytePath) in [
            ("pipe link", folder("pipe")), ("device link", "/dev/zero"), ("device", "/dev/zero"),
        ] {
            try #require(unsafe symlink(c(target), c(folder(link))) == 0)
        }
        for path in [
            folder("pipe"), folder("pipe link"), folder("device link"), "/dev/zero", "/dev/null",
            "/dev/full",
        ] {
            for mode in [FileDescriptor.Mode.read, .update] {
                #expect("\(path)") {
                    _ = try FileDescriptor(opening: path, mode)
                } throws: { isNotFileOrFolder($0, path) }
            }
        }
        for name: BytePath in ["pipe", "pipe link", "device"] {
            for mode in [FileDescriptor.Mode.read, .update] {
                #expect("\(name)") {
                    _ = try folder.open.open(name, mode)
                } throws: { isNotFileOrFolder($0, folder(name)) }
            }
        }
        #expect { _ = try folder.open.open("pipe", .updateOrCreate) } throws: {
            isNotFileOrFolder($0, folder("pipe"))
        }
        // The system itself refuses to open a socket.
        #expect(throws: SystemError(call: .open, path: folder("socket"), number: ENXIO)) {
            _ = try FileDescriptor(opening: folder("socket"), .read)
        }
        #expect(SystemError(call: .open, path: "", number: ESPIPE).reason == "not a regular file")
    }

    private func isNotFileOrFolder(_ error: any Error, _ path: BytePath) -> Bool {
        guard let error = error as? SystemError else { return false }
        return error.isNotFileOrFolder && error.path == path
    }

    private func bindSocket(_ path: BytePath) throws {
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.bytes
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in unsafe target.copyBytes(from: bytes)
        }
        let answer = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(socket, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(answer == 0)
    }

    @Test("takes a pipe or a device where a stream is asked for")
    func streams() throws {
        let folder = try TemporaryFolder()
        let device = try FileDescriptor(opening: "/dev/zero", .stream)
        let status = try device.status()
        #expect(status.kind == .other)
        try #require(unsafe mkfifo(c(folder("pipe")), 0o600) == 0)
        // Open at both ends, so that nobody waits.
        let writer = unsafe Glibc.open(c(folder("pipe")), O_RDWR)
        try #require(writer >= 0)
        let end = FileDescriptor(inherited: writer, name: "pipe", owned: true)
        try end.write([7].span)
        let reader = try FileDescriptor(opening: folder("pipe"), .stream)
        var bytes: [UInt8] = [0]
        var span = bytes.mutableSpan
        #expect(try reader.read(into: &span) == 1)
        #expect(bytes == [7])
    }

    @Test("of a path with a NUL in it is refused, and so is every other call: it would be another path")
    func nul() throws {
        let folder = try TemporaryFolder()
        try folder.file("a", "text")
        let name: BytePath = "a\0b"
        let status = try folder.open.status(of: "a")
        let open = folder.open
        let attempts: [(SystemCall, () throws -> Void)] = [
            (.open, { _ = try FileDescriptor(opening: folder.path / name, .read) }),
            (.open, { _ = try open.open(name, .updateOrCreate) }), (.open, { _ = try open.openFolder(name) }),
            (.fstat, { _ = try open.status(of: name) }), (.mkdir, { try open.makeFolder(name) }),
            (.unlink, { try open.removeFile(name) }),
            (.rename, { try open.rename("a", being: status, to: name) }),
            (.link, { try open.link("a", being: status, to: name, in: open) }),
            (.fstat, { _ = try Folder.canonical(folder.path / name) }),
        ]
        for (call, attempt) in attempts {
            #expect(throws: SystemError(call: call, path: folder.path / name, number: EINVAL)) {
                try attempt()
            }
        }
        #expect(try folder.names == ["a"])
    }

    @Test("of a folder in a folder does not follow a link, and that of a path does unless told otherwise")
    func folders() throws {
        let folder = try TemporaryFolder()
        try folder.open.makeFolder("real")
        try folder.file("real/x")
        try #require(unsafe symlink("real", c(folder("link"))) == 0)
        #expect(try folder.open.openFolder("real").entries().map(\.name) == ["x"])
        #expect(throws: SystemError(call: .open, path: folder("link"), number: ELOOP)) {
            _ = try folder.open.openFolder("link")
        }
        #expect(try OpenFolder(opening: folder("link")).entries().map(\.name) == ["x"])
        #expect(throws: SystemError(call: .open, path: folder("link"), number: ELOOP)) {
            _ = try OpenFolder(opening: folder("link"), followingLinks: false)
        }
        #expect(try folder.open.status(of: "link").kind == .link)
        #expect(try folder.open.statusIfThere(of: "none") == nil)
        #expect(throws: SystemError(call: .open, path: folder("real/x"), number: ENOTDIR)) {
            _ = try OpenFolder(opening: folder("real/x"))
        }
    }

    @Test("of what lies deeper goes through folders, and through no link on the way")
    func deeper() throws {
        let folder = try TemporaryFolder()
        let outside = try TemporaryFolder()
        try outside.file("x", "theirs")
        try outside.open.makeFolder("y")
        try folder.open.makeFolders("a/b")
        let status = try folder.open.status(of: "a")
        try #require(unsafe symlink(c(outside.path), c(folder("a/link"))) == 0)
        try folder.file("a/b/x", "mine")
        let mine = try folder.open.open("a/b/x", .read)
        #expect(try mine.bytes(at: 0, count: 10) == Array("mine".utf8))
        let open = folder.open
        let attempts: [(SystemCall, () throws -> Void)] = [
            (.open, { _ = try open.open("a/link/x", .read) }),
            (.open, { _ = try open.open("a/link/z", .create) }),
            (.open, { _ = try open.openFolder("a/link/y") }),
            (.open, { _ = try open.status(of: "a/link/x") }),
            (.open, { try open.makeFolder("a/link/z") }), (.open, { try open.makeFolders("a/link/z/z") }),
            (.open, { try open.removeFile("a/link/x") }),
            (.open, { try open.link("a/b/x", being: status, to: "a/link/z", in: open) }),
            (.open, { try open.link("a/link/x", being: status, to: "a/z", in: open) }),
        ]
        for (number, (call, attempt)) in attempts.enumerated() {
            #expect("attempt \(number)") {
                try attempt()
            } throws: { error in
                guard let error = error as? SystemError else { return false }
                return error.call == call && error.number == ELOOP
            }
        }
        #expect(try outside.names == ["x", "y"])
        #expect(try content(outside("x")) == "theirs")
        #expect(try Folder.entries(of: folder("a")).map(\.name) == ["b", "link"])
    }

    @Test("through an open folder reaches what is in it, whatever its path leads to by now")
    func movedFolder() throws {
        let folder = try TemporaryFolder()
        try folder.open.makeFolder("a")
        try folder.file("a/x", "mine")
        let inner = try folder.open.openFolder("a")
        try folder.open.rename("a", being: inner.status(), to: "b")
        try folder.open.makeFolder("a")
        try folder.file("a/x", "theirs")
        let file = try inner.open("x", .read)
        #expect(try file.bytes(at: 0, count: 10) == Array("mine".utf8))
        _ = try inner.open("y", .create)
        #expect(!exists(folder("a/y")) && exists(folder("b/y")))
    }
}

@Suite("Descriptors that a process was started with")
struct InheritedDescriptorTests {
    @Test("are those that were open then, and none that was opened since or that no process has")
    func numbers() throws {
        // Whatever starts tests gives them these three.
        for number in 0...2 { #expect(FileDescriptor.isInherited(number)) }
        for number in [-1, 4096, 1 << 20, Int(Int32.max), Int(Int32.max) + 1, .max, .min] {
            #expect(!FileDescriptor.isInherited(number), "\(number)")
        }
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        for end in ends {
            #expect(!FileDescriptor.isInherited(Int(end)))
            close(end)
        }
    }
}
